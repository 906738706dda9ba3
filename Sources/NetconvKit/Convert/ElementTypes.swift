import Documents
import ModelIR
import Readers
import Transforms
import Writers

/// The element types in which the tensors of a network are written.
struct ElementTypes {
  /// The tensors with their types, in order.
  let requests: [TensorSurvey.Request]

  /// Determines the types that a request asks for.
  ///
  /// - Parameters:
  ///   - network: the network in the layouts of its target.
  ///   - naming: the names of the tensors.
  ///   - formats: the formats to write.
  ///   - mapped: the types in a map.
  /// - Throws: `usage` if the target does not accept a type, or a pattern matches no tensor.
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
    // Arrays in C contain floats.
    let takesIntegers = !formats.contains(where: \.isSourceText)
    requests = zip(tensors, types).map { tensor, type in
      takesIntegers && tensor.stored.source is IntegerValues
        ? TensorSurvey.Request(integers: tensor)
        : TensorSurvey.Request(tensor, as: target.elementType(of: tensor.spec, kernelType: type))
    }
  }
}

extension NetconvError {
  fileprivate static func matchesNothing(_ rule: ElementTypeRule) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "the pattern \(quoted(rule.pattern)) of \(.elementTypeRules) "
        + "\(quoted("\(rule.pattern)=\(rule.elementType.rawValue)")) "
        + "matches no tensor; \(.inspectTensors) lists the layers, and a manifest the tensors"
    )
  }
}
