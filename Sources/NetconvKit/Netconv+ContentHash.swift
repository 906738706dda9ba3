import Digests
import Documents
import ModelIR

extension Netconv {
  /// What tells two models apart: the SHA-256 of their canonical document.
  ///
  /// The document is a `model.json` with the layers sorted by name, without the names of classes and files
  /// that only the source knows; in place of a file stands the SHA-256 of the parameter's values, as float32
  /// with the axes in the order O, D, H, W, I, M, C, whatever order they are stored in.
  /// - Returns: 64 hexadecimal digits.
  /// - Throws: what reading the values throws, or `badData` for a layer that no document can hold.
  public static func contentHash(of model: Model) throws(NetconvError) -> String {
    var layers: [LayerDocument] = []
    // An earlier netconv had a layer for each output.
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
  /// What tells the parameters of two models apart, whatever is computed with them: as ``Netconv/contentHash(of:)``, without
  /// the graph.
  ///
  /// - Throws: what reading the values throws.
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
