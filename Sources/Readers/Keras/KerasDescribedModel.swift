import Documents
import ModelIR

/// The model that a configuration of Keras describes, each weight as large as its layer wants it, without values.
///
/// - Parameters:
///   - bytes: what `model.to_json()` gives, or the attribute `model_config`.
///   - file: where they are, for messages.
/// - Throws: `badData` if it is no configuration, has layers that cannot be mapped, or its layers do not fit together.
package func kerasModel(
  configuration bytes: [UInt8], file: String
) throws(NetconvError) -> Model {
  let architecture = try KerasArchitecture(JSONDocument.parse(bytes), file: file)
  let graph = try KerasGraph(architecture, replacing: .none)
  return try graph.model(graph.definitions(WantedWeights()))
}

/// The weights that layers want, and no values.
private struct WantedWeights: KerasWeightSource {
  let isOfTheano = false
  let holdsLoRA = false

  func weights(
    of place: KerasWeightPlace, expected: [KerasWeight], opaqueType: ElementType?
  ) -> [(name: String, stored: StoredTensor)] {
    expected.map { weight in
      (
        weight.name,
        StoredTensor(source: ArraySource([]), layout: nil, shape: nil, path: weight.name)
      )
    }
  }

  func arrays(below path: [String]) -> [String] { [] }
}
