import Documents
import ModelIR
import Readers
import Transforms
import Writers

/// Which type each tensor of a network is to be written in.
struct ElementTypes {
  /// The tensors with their types, in order.
  let wishes: [TensorSurvey.Wish]

  /// The types that a request wishes for.
  ///
  /// - Parameters:
  ///   - network: arranged for its target.
  ///   - naming: how the tensors are called.
  ///   - formats: what is written.
  ///   - mapped: the types that a map says.
  /// - Throws: `usage` if the target does not take a type, or a pattern names no tensor.
  init(
    _ request: ConvertRequest, _ target: Target, _ network: Network, _ naming: FileNaming,
    _ formats: [OutputFormat], mapped: [ElementType]? = nil
  ) throws(NetconvError) {
    let tensors = network.tensors
    let names = naming.names(for: tensors)
    var types = mapped ?? tensors.map { _ in request.elementType }
    for rule in request.elementTypeRules {
      let indices = tensors.indices.filter {
        rule.matches(tensors[$0].layer) || rule.matches(names[$0].tensor)
      }
      guard !indices.isEmpty else { throw .matchesNothing(rule) }
      for index in indices { types[index] = rule.elementType }
    }
    // An array of C holds floats.
    let takesIntegers = !formats.contains(where: \.isSourceText)
    wishes = zip(tensors, types).map { tensor, type in
      takesIntegers && tensor.stored.source is IntegerValues
        ? TensorSurvey.Wish(integers: tensor)
        : TensorSurvey.Wish(tensor, as: target.elementType(of: tensor.spec, kernelType: type))
    }
  }
}
