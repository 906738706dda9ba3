import Documents
import ModelIR

extension TensorRecord {
  /// Creates the record of a tensor that was written.
  init(
    _ entry: OutputPlan.Entry, _ digest: TensorDigest, _ statistics: TensorStatistics,
    isSupported: Bool
  ) {
    let tensor = entry.tensor
    let packed = tensor.stored.source as? PackedValues
    let blocks = packed?.packing as? GGUFBlocks
    self.init(
      name: entry.name, layer: tensor.layer, role: tensor.spec.role.rawValue,
      dtype: blocks?.name ?? entry.elementType.rawValue, scale: entry.scale,
      layout: tensor.layout.description,
      reversed: tensor.reversed.map(\.description).sorted(),
      shape: blocks == nil ? tensor.shape : packed?.shape ?? tensor.shape,
      source: Origin(
        path: tensor.stored.path, dtype: tensor.stored.typeName,
        layout: tensor.storedLayout.description, shape: packed?.shape ?? tensor.storedShape),
      rearrangement: Move(tensor.rearrangement),
      places: Dictionary(uniqueKeysWithValues: entry.places.map { ($0.rawValue, $1) }),
      sha256: digest.sha256, supported: isSupported,
      ambiguities: tensor.ambiguities.map { $0.map(\.description) }, statistics: statistics)
  }
}

extension Manifest.Content {
  /// Creates the document of a plan, with the locations of its parameters in the preferred container.
  init(_ plan: OutputPlan) {
    switch plan.network {
    case .model(let model):
      let documents = ParameterDocuments(plan.entries, place: \.place)
      self = .model(
        ModelDocument(
          name: model.name, inputs: model.inputs.map(InputDocument.init), outputs: model.outputs,
          layers: model.layers.map { layer in
            LayerDocument(
              layer,
              parameters: layer.parameters.compactMap { documents[$0]?.document })
          }))
    case .weights(let weights):
      self = .weights(WeightsDocument(weights, plan.entries, place: \.place))
    }
  }
}

extension WeightsDocument {
  /// Creates the document of `weights`, with the locations that `place` returns.
  init(
    _ weights: Weights, _ entries: [OutputPlan.Entry],
    place: @escaping (OutputPlan.Entry) -> TensorRecord.Place?
  ) {
    let documents = ParameterDocuments(entries, place: place)
    self.init(
      name: weights.name,
      layers: weights.layers.map { layer in
        Layer(
          name: layer.name, className: layer.origin?.className,
          parameters: layer.parameters.compactMap {
            documents[$0].map { Parameter($0.document, $0.written) }
          })
      })
  }
}

/// The documents of the parameters that are written.
private struct ParameterDocuments {
  private let entries: [TensorKey: OutputPlan.Entry]
  private let scales: [String: OutputPlan.Entry]
  private let place: (OutputPlan.Entry) -> TensorRecord.Place?

  /// - Parameter place: returns the location of an entry; `nil` for all of them in containers that only other programs
  ///   read.
  init(
    _ entries: [OutputPlan.Entry], place: @escaping (OutputPlan.Entry) -> TensorRecord.Place?
  ) {
    self.entries = Dictionary(
      uniqueKeysWithValues: entries.filter { !$0.isScale }.map { ($0.tensor.key, $0) })
    scales = Dictionary(
      uniqueKeysWithValues: entries.filter(\.isScale).map { ($0.name, $0) })
    self.place = place
  }

  /// Returns the document of a tensor, and the tensor as it is written.
  subscript(tensor: Tensor) -> (document: ParameterDocument, written: Tensor)? {
    guard let entry = entries[tensor.key] else {
      preconditionFailure("the plan does not write \(tensor.spec.role) of \(tensor.layer)")
    }
    return place(entry).map { place in
      (ParameterDocument(entry, place, scale: entry.scale.map(scalePlace)), entry.tensor)
    }
  }

  private func scalePlace(_ name: String) -> TensorRecord.Place {
    guard let place = scales[name].flatMap(place) else {
      preconditionFailure("the plan does not write the scales \(name)")
    }
    return place
  }
}

extension ParameterDocument {
  /// Creates the document of a parameter that was written.
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
