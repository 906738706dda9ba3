import Readers
import Relations

/// Which tensors of B lie as a consumer takes them.
struct Placements {
  let consumer: Consumer
  /// What was done instead, by the tensor's place in B.
  private(set) var mistakes: [Int: RelateReport.Mistake] = [:]
  /// How many lie as they should.
  private(set) var rightCount = 0
  /// How many of those are kernels, which have more than one axis.
  private(set) var rightKernelCount = 0

  /// Judges what became of each tensor of `a` in `b`.
  init(_ relations: WeightRelations, from a: ReadSource, to b: ReadSource, for consumer: Consumer) {
    self.consumer = consumer
    let (first, second) = (a.network.tensors, b.network.tensors)
    for relation in relations.tensors {
      let parts: [RelatedPart]
      switch relation.outcome {
      case .related(let all) where all.count == 1: parts = all
      case .undetermined(let why, let all)
      where why != .constant && all.allSatisfy(\.target.isEmpty):
        parts = all
      case .related, .undetermined, .unrelated: continue
      }
      let judged = Dictionary(grouping: parts, by: \.source).compactMap {
        source, parts -> (isKernel: Bool, mistake: RelateReport.Mistake?)? in
        guard let source,
          let placement = Placement(
            of: first[source], madeBy: a.converted == nil ? a.usualTarget : nil,
            as: second[relation.tensor], by: parts,
            for: consumer)
        else { return nil }
        return (placement.isOfKernel, placement.mistake)
      }
      if let right = judged.first(where: { $0.mistake == nil }) {
        rightCount += 1
        rightKernelCount += right.isKernel ? 1 : 0
      } else if case .related = relation.outcome {
        // Of what values do not determine, nothing is asserted.
        mistakes[relation.tensor] = judged.first?.mistake
      }
    }
  }
}

extension Placements {
  /// Whether every tensor that can be judged lies as the consumer takes it, a kernel among them.
  var fit: Bool { mistakes.isEmpty && rightKernelCount > 0 }
}
