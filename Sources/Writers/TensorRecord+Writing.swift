import Documents
import ModelIR

extension TensorRecord {
  /// The record of a tensor that was written.
  init(
    _ entry: OutputPlan.Entry, _ digest: TensorDigest, _ statistics: TensorStatistics,
    isSupported: Bool
  ) {
    let tensor = entry.tensor
    self.init(
      name: entry.name, layer: tensor.layer, role: tensor.spec.role.rawValue,
      dtype: entry.elementType.rawValue, layout: tensor.layout.description,
      reversed: tensor.reversed.map(\.description).sorted(), shape: tensor.shape,
      source: Origin(
        path: tensor.stored.path, dtype: tensor.stored.source.elementType.rawValue,
        layout: tensor.storedLayout.description, shape: tensor.storedShape),
      rearrangement: Move(tensor.rearrangement), file: entry.file, length: entry.byteCount,
      archiveOffset: entry.archiveOffset, sha256: digest.sha256, supported: isSupported,
      statistics: statistics)
  }
}

extension ModelDocument {
  /// The document of a model whose parameters are in the files of `plan`.
  init(_ plan: OutputPlan) {
    var files: [String: ParameterDocument] = [:]
    for entry in plan.entries {
      let tensor = entry.tensor
      files[Self.key(tensor)] = ParameterDocument(
        role: tensor.spec.role.rawValue, file: entry.file, dtype: entry.elementType.rawValue,
        layout: tensor.layout.description, reversed: tensor.reversed, shape: tensor.shape)
    }
    self.init(
      name: plan.model.name, inputs: plan.model.inputs.map(InputDocument.init),
      outputs: plan.model.outputs,
      layers: plan.model.layers.map { layer in
        LayerDocument(layer, parameters: layer.parameters.compactMap { files[Self.key($0)] })
      })
  }

  private static func key(_ tensor: Tensor) -> String {
    tensor.spec.role.rawValue + "/" + tensor.layer
  }
}
