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
      dtype: entry.elementType.rawValue, scale: entry.scale,
      layout: tensor.layout.description,
      reversed: tensor.reversed.map(\.description).sorted(), shape: tensor.shape,
      source: Origin(
        path: tensor.stored.path, dtype: tensor.stored.source.elementType.rawValue,
        layout: tensor.storedLayout.description, shape: tensor.storedShape),
      rearrangement: Move(tensor.rearrangement),
      places: Dictionary(uniqueKeysWithValues: entry.places.map { ($0.rawValue, $1) }),
      sha256: digest.sha256, supported: isSupported,
      ambiguities: tensor.ambiguities.map { $0.map(\.description) }, statistics: statistics)
  }
}

extension Manifest.Content {
  /// The document of what `plan` writes, with the places of its parameters in the format that is read first.
  init(_ plan: OutputPlan) {
    switch plan.network {
    case .model(let model):
      let entries = plan.entries.byTensor
      let scales = plan.entries.scales(place: \.place)
      self = .model(
        ModelDocument(
          name: model.name, inputs: model.inputs.map(InputDocument.init), outputs: model.outputs,
          layers: model.layers.map { layer in
            LayerDocument(
              layer,
              parameters: layer.parameters.compactMap { tensor in
                entries[tensor.key].flatMap { entry in
                  entry.place.map {
                    ParameterDocument(entry, $0, scale: entry.scale.flatMap { scales[$0] })
                  }
                }
              })
          }))
    case .weights(let weights):
      self = .weights(WeightsDocument(weights, plan.entries, place: \.place))
    }
  }
}

extension WeightsDocument {
  /// The document of `weights`, each of them at the place that `place` gives.
  init(
    _ weights: Weights, _ entries: [OutputPlan.Entry],
    place: (OutputPlan.Entry) -> TensorRecord.Place?
  ) {
    let scales = entries.scales(place: place)
    let entries = entries.byTensor
    self.init(
      name: weights.name,
      layers: weights.layers.map { layer in
        Layer(
          name: layer.name, className: layer.origin?.className,
          parameters: layer.parameters.compactMap { tensor in
            entries[tensor.key].flatMap { entry in
              place(entry).map {
                Parameter(
                  ParameterDocument(entry, $0, scale: entry.scale.flatMap { scales[$0] }),
                  entry.tensor)
              }
            }
          })
      })
  }
}

extension [OutputPlan.Entry] {
  fileprivate var byTensor: [TensorKey: OutputPlan.Entry] {
    Dictionary(map { ($0.tensor.key, $0) }, uniquingKeysWith: { $1 })
  }

  /// The places of scales, by name.
  fileprivate func scales(
    place: (OutputPlan.Entry) -> TensorRecord.Place?
  ) -> [String: TensorRecord.Place] {
    let names = Set(compactMap(\.scale))
    return Dictionary(
      filter { names.contains($0.name) }.compactMap { entry in place(entry).map { (entry.name, $0) }
      },
      uniquingKeysWith: { $1 })
  }
}

extension ParameterDocument {
  /// The document of a parameter that was written.
  fileprivate init(
    _ entry: OutputPlan.Entry, _ place: TensorRecord.Place, scale: TensorRecord.Place?
  ) {
    let tensor = entry.tensor
    self.init(
      role: tensor.spec.role.rawValue, file: place.file, tensor: place.tensor,
      dtype: entry.elementType.rawValue,
      scale: scale.map { ScaleDocument(file: $0.file, tensor: $0.tensor) },
      layout: tensor.layout.description,
      reversed: tensor.reversed, shape: tensor.shape)
  }
}
