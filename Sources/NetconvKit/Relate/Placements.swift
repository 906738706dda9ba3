import ModelIR
import Readers
import Relations
import Transforms

/// The tensors of B that have the layout that a consumer expects, and those that do not.
struct Placements {
  let consumer: Consumer
  /// The mistakes, by the index of the tensor in B.
  private(set) var mistakes: [Int: RelateReport.Mistake] = [:]
  /// The number of tensors with the expected layout.
  private(set) var rightCount = 0
  /// The number of kernels among them; a kernel has more than one axis.
  private(set) var rightKernelCount = 0

  /// The indices in B of tensors that cannot be judged.
  private(set) var notJudged: [Int] = []
  /// Kernels of A that cannot be what their names say.
  let contradicted: [Tensor]
  /// The recurrent layers of A whose second bias is a separate tensor in B.
  private let layersWithTwoBiases: Set<String>

  private enum Verdict {
    case right(isKernel: Bool)
    case wrong(RelateReport.Mistake)
    case open
  }

  /// Judges the layout in `b` of each tensor of `a`.
  ///
  /// - Parameter readings: the possible meanings of the tensors of A, if it has no graph.
  init(
    _ relations: WeightRelations, from a: ReadSource, to b: ReadSource, for consumer: Consumer,
    _ readings: WeightReadings?
  ) {
    self.consumer = consumer
    let (first, second) = (a.network.tensors, b.network.tensors)
    contradicted = first.filter { readings?.isContradicted($0.key, for: consumer.target) ?? false }
    layersWithTwoBiases = Set(
      relations.tensors.compactMap { relation in
        guard let part = relation.outcome.singlePart, let source = part.source, part.addend == nil,
          first[source].spec.role == .recurrentBias
        else { return nil }
        return first[source].layer
      })
    for relation in relations.tensors {
      let tensor = second[relation.tensor]
      let parts: [RelatedPart]
      switch relation.outcome {
      case .unrelated: continue
      case .related(let all) where all.count == 1: parts = all
      case .undetermined(.constant, _) where tensor.storedShape.count <= 1:
        // Equal values have no order.
        rightCount += 1
        continue
      case .undetermined(let why, let all)
      where why != .constant && all.allSatisfy(\.target.isEmpty):
        parts = all
      case .related, .undetermined:
        notJudged.append(relation.tensor)
        continue
      case .nearly: continue
      }
      let verdicts = Dictionary(grouping: parts, by: \.source).compactMap { source, parts in
        source.map { source in
          verdict(
            on: parts, of: first[source], madeBy: a.converted == nil ? a.usualTarget : nil,
            as: tensor, readings)
        }
      }
      add(verdicts, relation)
    }
  }

  private mutating func add(_ verdicts: [Verdict], _ relation: Relation) {
    var mistake: RelateReport.Mistake?
    for verdict in verdicts {
      switch verdict {
      case .right(let isKernel):
        rightCount += 1
        rightKernelCount += isKernel ? 1 : 0
        return
      case .wrong(let found): mistake = mistake ?? found
      case .open: break
      }
    }
    // Nothing is asserted about relations that values do not determine.
    if case .related = relation.outcome, let mistake {
      mistakes[relation.tensor] = mistake
    } else {
      notJudged.append(relation.tensor)
    }
  }

  private func verdict(
    on parts: [RelatedPart], of a: Tensor, madeBy maker: Target?, as b: Tensor,
    _ readings: WeightReadings?
  ) -> Verdict {
    let a = readings?.recurrent(a) ?? a
    let placement = { (tensor: Tensor) in
      Placement(
        of: tensor, madeBy: maker, as: b, by: parts, for: consumer,
        besideBias: layersWithTwoBiases.contains(a.layer))
    }
    // The gates of a bias are unknown if its layer is.
    let isOfGates = [.inputBias, .recurrentBias].contains(a.spec.role)
    guard !isOfGates || a.spec.cell != nil || b.spec.cell != nil else { return .open }
    // If some kernels contradict their names, other tensors of the same rank and of unknown kind are not judged.
    guard
      a.spec.kind != .unknown
        || !contradicted.contains(where: { $0.storedShape.count == a.storedShape.count })
    else { return .open }
    guard let readings, let target = consumer.target, a.spec.kind == .unknown,
      b.spec.kind == .unknown
    else {
      guard let placement = placement(a) else { return .open }
      return placement.mistake.map(Verdict.wrong) ?? .right(isKernel: placement.isOfKernel)
    }
    let candidates = readings.tensors(a.key)
    guard !candidates.isEmpty else {
      let isKept = parts.contains { $0.copy?.isIdentity ?? false }
      return readings.isOwn(a.key, for: target) && isKept ? .right(isKernel: false) : .open
    }
    let placements = candidates.map(placement)
    let mistakes = placements.compactMap { $0?.mistake }
    guard placements.allSatisfy({ $0 != nil }) else { return .open }
    // A kernel may follow a flatten, and then has another order.
    let flattened = candidates.filter { $0.spec.kind == .fullyConnected }
      .flatMap { readings.flattened($0, for: target) }
    if flattened.contains(where: { placement($0).map { $0.mistake == nil } ?? false }) {
      return .right(isKernel: true)
    }
    if mistakes.isEmpty { return flattened.isEmpty ? .right(isKernel: true) : .open }
    return mistakes.count == placements.count ? .wrong(mistakes[0]) : .open
  }
}

extension Placements {
  /// True if every tensor that can be judged has the layout that the consumer expects, and one of them is a kernel.
  var fit: Bool { mistakes.isEmpty && rightKernelCount > 0 }
}
