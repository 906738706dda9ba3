import Digests
import Documents
import ModelIR

extension Netconv {
  /// Returns a hash that identifies a model: the SHA-256 of its canonical document.
  ///
  /// The document is a `model.json` with layers sorted by name. It omits names of classes and files that only the
  /// source knows. Each file name is replaced by the SHA-256 of the parameter's values, as float32 with axes in the
  /// order O, D, H, W, I, M, C, whatever their stored order.
  /// - Returns: 64 hexadecimal digits.
  /// - Throws: any error from reading the values, or `badData` for a layer that a document cannot represent.
  public static func contentHash(of model: Model) throws(NetconvError) -> String {
    var layers: [LayerDocument] = []
    // Earlier versions of netconv had one layer for each output.
    for layer in model.separated.layers.sorted(by: { $0.name < $1.name }) {
      var parameters: [ParameterDocument] = []
      for tensor in layer.parameters {
        let wanted = try tensor.canonical()
        parameters.append(
          ParameterDocument(
            role: tensor.spec.role.rawValue, file: try tensor.contentHash(as: .float32),
            dtype: ElementType.float32.rawValue, layout: wanted.layout.description,
            shape: wanted.shape))
      }
      var document = LayerDocument(layer, parameters: parameters)
      document.className = nil
      layers.append(document)
    }
    let document = ModelDocument(
      name: model.name, inputs: model.inputs.map(InputDocument.init), outputs: model.outputs,
      layers: layers)
    return hexadecimal(SHA256.hash(of: try JSONDocument.encode(document)))
  }
}

extension Model {
  /// Returns a hash that identifies the parameters of a model, as ``Netconv/contentHash(of:)`` does, but without the
  /// graph.
  ///
  /// - Throws: any error from reading the values.
  func weightsHash() throws(NetconvError) -> String {
    struct Parameter: Encodable {
      let layer: String
      let role: String
      let sha256: String
    }
    let parameters = try tensors.map { tensor throws(NetconvError) in
      Parameter(
        layer: tensor.layer, role: tensor.spec.role.rawValue,
        sha256: try tensor.contentHash(as: .float32))
    }
    return hexadecimal(SHA256.hash(of: try JSONDocument.encode(parameters)))
  }
}
