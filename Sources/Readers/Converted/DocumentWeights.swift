import Documents
import ModelIR

extension Weights {
  /// The weights that a document describes.
  ///
  /// - Parameters:
  ///   - document: of a manifest.
  ///   - isAlone: whether all of them are in the one file that was named, so that it is not named once more.
  ///   - source: where the values of a parameter are.
  ///   - name: what a parameter is called, where names are like those of a state dictionary.
  /// - Throws: `badData` if a layout, a kind or a size cannot be, or does not fit the values.
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
  /// The axes as they were written, with their sizes.
  ///
  /// - Throws: `badData` if there is no such layout or kind, or an axis has no size.
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

  /// The shape as it was written.
  ///
  /// - Throws: as ``spec``, or `badData` if the sizes multiply to more than can be counted.
  var shape: [Int] {
    get throws(NetconvError) {
      let spec = try spec
      return try spec.layout.shape(spec.sizes)
    }
  }
}
