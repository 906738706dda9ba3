import ModelIR
import Processor

extension WeightRelations {
  /// Finds the source in `a` of each tensor of `b`, and the rearrangement, by values alone.
  ///
  /// - Parameters:
  ///   - threads: The number of threads; by default the number of cores.
  ///   - looksForInexact: True to search for sums, multiples and folded normalisations as well.
  ///   - checkpoint: Throws to cancel the search.
  /// - Throws: An error if a tensor cannot be read, with its name, or any error that `checkpoint` throws.
  public static func find(
    _ a: [RelatedTensor], _ b: [RelatedTensor], threads: Int? = nil, looksForInexact: Bool = true,
    checkpoint: @escaping @Sendable () throws(NetconvError) -> Void = {}
  ) throws(NetconvError) -> WeightRelations {
    let box = Shared(ResultBox())
    ThreadTeam.gather(threads ?? CPULevel.coreCount) { team in
      do throws(NetconvError) {
        box.value.relations = .success(
          try RelationSearch(a, b, team, checkpoint).relations(looksForInexact: looksForInexact))
      } catch {
        box.value.relations = .failure(error)
      }
    }
    return try box.value.relations.get()
  }
}

/// A result that one thread passes to another.
private final class ResultBox {
  var relations = Result<WeightRelations, NetconvError>.success(
    WeightRelations(tensors: [], unused: [], movedSizes: []))
}
