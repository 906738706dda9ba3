import ModelIR
import Readers
import Transforms

extension ReadSource {
  /// Returns the source with the adapters of some folders merged into it.
  func merging(adaptersAt paths: [String]) throws(NetconvError) -> ReadSource {
    var source = self
    for path in paths {
      do throws(NetconvError) {
        source = try source.merging(try Adapter(path))
      } catch {
        throw error.inFile(path)
      }
    }
    return source
  }

  /// Returns the source's tensor names, if there is no graph and the target uses names of the same kind.
  ///
  /// - Parameter keepsAll: true if a target that keeps layouts keeps names too.
  func names(for target: Target, keepsAll: Bool) -> [TensorKey: String] {
    guard case .weights(let weights) = network else { return [:] }
    let isOfTensorFlow = format.hasPrefix("tensorflow")
    guard
      target.hasDottedNames && !isOfTensorFlow || target == .tensorflow && isOfTensorFlow
        || keepsAll && target.keepsLayouts
    else {
      return [:]
    }
    return Dictionary(
      weights.tensors.compactMap { tensor in tensor.stored.name.map { (tensor.key, $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}
