import Documents
import ModelIR

/// Creates the model of a Keras configuration with weights of the required shapes but without values.
///
/// - Parameters:
///   - bytes: The output of `model.to_json()`, or the attribute `model_config`.
///   - file: The path of the configuration, for messages.
/// - Throws: `badData` if the configuration is invalid, has unsupported layers, or its layers do not fit together.
package func kerasModel(
  configuration bytes: [UInt8], file: String
) throws(NetconvError) -> Model {
  let architecture = try KerasArchitecture(JSONDocument.parse(bytes), file: file)
  let graph = try KerasGraph(architecture, replacing: .none)
  return try graph.model(graph.definitions(WantedWeights()))
}

/// A source of weights with the required shapes and no values.
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
