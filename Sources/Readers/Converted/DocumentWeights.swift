import Documents
import ModelIR

extension Weights {
  /// Creates the weights that a document describes.
  ///
  /// - Parameters:
  ///   - document: The weights of a manifest.
  ///   - isAlone: True if all weights are in the file that the user named, so that messages need not repeat its name.
  ///   - source: Returns the values of a parameter.
  ///   - name: Returns the state-dictionary name of a parameter, if it has one.
  /// - Throws: `badData` if a layout, kind or size is invalid, or does not fit the values.
  init(
    _ document: WeightsDocument, isAlone: Bool = false,
    source: (ParameterDocument) throws(NetconvError) -> any TensorSource,
    name: (ParameterDocument) -> String? = { _ in nil }
  ) throws(NetconvError) {
    var layers: [LayerWeights] = []
    for layer in document.layers {
      var parameters: [Tensor] = []
      for parameter in layer.parameters {
        do throws(NetconvError) {
          let shape = try parameter.shape
          let described = parameter.document(shape: shape)
          let spec = try parameter.spec
          parameters.append(
            try Tensor(
              layer: layer.name, spec: spec,
              stored: StoredTensor(
                source: try source(described), layout: spec.layout,
                reversed: try described.reversedAxes(spec.layout), shape: shape,
                path: isAlone ? described.tensor ?? described.path : described.path,
                name: name(described))))
        } catch {
          throw error.inTensor(parameter.role).inLayer(layer.name)
        }
      }
      layers.append(
        LayerWeights(
          name: layer.name, origin: layer.className.map { LayerOrigin(className: $0) },
          parameters: parameters))
    }
    try self.init(name: document.name, layers: layers)
  }
}

extension WeightsDocument.Parameter {
  /// The axes of the parameter and their sizes.
  ///
  /// - Throws: `badData` if the layout or the kind is unknown, or an axis has no size.
  fileprivate var spec: ParameterSpec {
    get throws(NetconvError) {
      guard let layout = Layout(layout) else { throw .unknownLayout(self.layout) }
      guard let kind = ParameterKind(rawValue: kind) else { throw .unknownKind(self.kind) }
      var known: [Axis: Int] = [:]
      for axis in layout.axes { known[axis] = sizes[axis.description] }
      guard known.count == sizes.count, known.count == layout.axes.count,
        known.values.allSatisfy({ $0 >= 0 })
      else { throw .wrongSizes(sizes, layout: self.layout) }
      return ParameterSpec(ParameterRole(rawValue: role), kind, layout, known)
    }
  }

  /// The shape of the parameter.
  ///
  /// - Throws: The errors of ``spec``; `badData` if the product of the sizes overflows.
  var shape: [Int] {
    get throws(NetconvError) {
      let spec = try spec
      return try spec.layout.shape(spec.sizes)
    }
  }
}

extension NetconvError {
  fileprivate static func unknownKind(_ kind: String) -> NetconvError {
    NetconvError(
      .badData,
      "kind \(quoted(kind)) is unknown; expected one of "
        + ParameterKind.allCases.map(\.rawValue).joined(separator: ", "))
  }

  fileprivate static func wrongSizes(_ sizes: [String: Int], layout: String) -> NetconvError {
    let found = sizes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return NetconvError(
      .badData,
      "sizes are \(escaped(found.joined(separator: " "))), expected a size for each axis of "
        + "\(quoted(layout)) and no other")
  }
}
