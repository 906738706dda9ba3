import Documents
import ModelIR

/// The samples with which AIDA-X tests a loaded model: `input_batch`, and the trainer's `output_batch`.
///
/// The initial state is zero, and no gain or skip is applied around the network.
///
/// Source: AidaDSP, aidadsp-lv2, rt-neural-generic/src/rt-neural-generic.cpp, `testModel`.
struct RTNeuralTestVectors {
  static let keys = ["input_batch", "output_batch"]

  /// The samples, or the reason why they are unusable; `nil` if the document has none.
  let vectors: Result<TestVectors, NetconvError>?
  /// Remarks about the samples for the user; empty if there are none.
  let notes: [SourceNote]

  /// Reads the samples of a document for its model.
  init(_ document: JSONFields, _ model: Model) {
    let keys = Self.keys.filter { document[$0] != nil }
    guard !keys.isEmpty else {
      (vectors, notes) = (nil, [])
      return
    }
    let found = Result { () throws(NetconvError) in try Self.vectors(document, model) }
    vectors = found
    switch found {
    case .success: notes = [.testVectors(keys)]
    case .failure(let error): notes = [.unusedTestVectors(error)]
    }
  }

  private static func vectors(
    _ document: JSONFields, _ model: Model
  ) throws(NetconvError) -> TestVectors {
    let input = model.inputs[0]
    guard input.shape.rank == 2, input.shape.dimensions[1] == 1 else {
      throw .testVectorsOfOthers(input.shape)
    }
    let signal = try numbers(document, keys[0])
    let fed = Shape([signal.values.count, 1])
    guard fed.isCompatible(with: input.shape), !signal.values.isEmpty,
      let shape = try model.shapes(feeding: [input.name: fed])[model.outputs[0]]?.known
    else { throw .wrongTestVectors(keys[0], signal.shape, expected: input.shape) }
    let output = try numbers(document, keys[1])
    // A flat list of all numbers, or a list of steps.
    guard output.values.count == shape.reduce(1, *),
      output.shape.count == 1 || output.shape.filter({ $0 != 1 }) == shape.filter({ $0 != 1 })
    else { throw .wrongTestVectors(keys[1], output.shape, expected: Shape(shape)) }
    return TestVectors(
      input: NDArray(shape: [1, signal.values.count, 1], values: signal.values),
      output: NDArray(shape: [1] + shape, values: output.values))
  }

  private static func numbers(
    _ document: JSONFields, _ key: String
  ) throws(NetconvError) -> (shape: [Int], values: [Float]) {
    guard let value = document[key] else { throw .missingField(key) }
    let shape = value.nestedShape
    return (shape, try value.numbers(shape[...], at: key))
  }
}

extension SourceNote {
  /// Reports samples that `verify` uses.
  fileprivate static func testVectors(_ keys: [String]) -> SourceNote {
    SourceNote(
      text:
        "the file holds samples to test the network with, which verify compares with, and convert does not store",
      details: keys.map { quoted($0) }, isWarning: false, isDecision: true)
  }
}

extension NetconvError {
  fileprivate static func testVectorsOfOthers(_ input: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "the network takes \(input), and such samples are for a network with one value per step")
  }

  fileprivate static func wrongTestVectors(
    _ key: String, _ found: [Int], expected: Shape
  ) -> NetconvError {
    NetconvError(
      .badData, "\(quoted(key)) has shape \(Shape(found)), which is not that of \(expected)")
  }
}
