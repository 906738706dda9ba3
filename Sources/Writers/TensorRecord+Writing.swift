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
      dtype: entry.elementType.rawValue, scale: entry.scaleFile,
      layout: tensor.layout.description,
      reversed: tensor.reversed.map(\.description).sorted(), shape: tensor.shape,
      source: Origin(
        path: tensor.stored.path, dtype: tensor.stored.source.elementType.rawValue,
        layout: tensor.storedLayout.description, shape: tensor.storedShape),
      rearrangement: Move(tensor.rearrangement), file: entry.file, length: entry.byteCount,
      archiveOffset: entry.archiveOffset, sha256: digest.sha256, supported: isSupported,
      ambiguities: tensor.ambiguities.map { $0.map(\.description) },
      statistics: statistics)
  }
}

extension Manifest.Content {
  /// The document of what `plan` writes, with the files of its parameters.
  init(_ plan: OutputPlan) {
    var entries: [[String]: OutputPlan.Entry] = [:]
    for entry in plan.entries { entries[Self.key(entry.tensor)] = entry }
    switch plan.network {
    case .model(let model):
      self = .model(
        ModelDocument(
          name: model.name, inputs: model.inputs.map(InputDocument.init), outputs: model.outputs,
          layers: model.layers.map { layer in
            LayerDocument(
              layer,
              parameters: layer.parameters.compactMap { tensor in
                entries[Self.key(tensor)].map(ParameterDocument.init)
              })
          }))
    case .weights(let weights):
      self = .weights(
        WeightsDocument(
          name: weights.name,
          layers: weights.layers.map { layer in
            WeightsDocument.Layer(
              name: layer.name, className: layer.origin?.className,
              parameters: layer.parameters.compactMap { tensor in
                entries[Self.key(tensor)].map { entry in
                  WeightsDocument.Parameter(ParameterDocument(entry), entry.tensor)
                }
              })
          }))
    }
  }

  private static func key(_ tensor: Tensor) -> [String] {
    [tensor.layer, tensor.spec.role.rawValue]
  }
}

extension ParameterDocument {
  /// The document of a parameter that was written.
  fileprivate init(_ entry: OutputPlan.Entry) {
    let tensor = entry.tensor
    self.init(
      role: tensor.spec.role.rawValue, file: entry.file, dtype: entry.elementType.rawValue,
      scale: entry.scaleFile.map { ScaleDocument(file: $0) }, layout: tensor.layout.description,
      reversed: tensor.reversed, shape: tensor.shape)
  }
}
