import Diagnosis
import ModelIR

/// Seeded random inputs as the first layers of a network expect them; Docs/goldens.md describes the rules.
struct RandomInputs {
  /// The arrays by name of the input; the first axis is the batch.
  let arrays: [String: NDArray<Float>]
  /// A human-readable description of the values: `whole numbers from 0 to 255, as 'rescaling' expects them`.
  let words: String

  /// Generates inputs for `model`.
  ///
  /// - Parameters:
  ///   - shapes: the shape of one sample, by name of the input.
  ///   - samples: the number of samples.
  ///   - tellers: networks with the inputs of `model`; for each input, the first that determines its values is used.
  /// - Throws: `usage` if the inputs exceed the memory limit; otherwise any error from reading parameters.
  init(
    _ shapes: [String: [Int]], samples: Int, for model: Model, toldBy tellers: [Model]
  ) throws(NetconvError) {
    var arrays: [String: NDArray<Float>] = [:]
    var words: [(input: String, text: String)] = []
    for (index, input) in model.inputs.enumerated() {
      let shape = shapes[input.name] ?? []
      let size = shape.reduce(1, *)
      var expected: ExpectedValues?
      for teller in tellers where expected == nil {
        guard let input = teller.inputs.first(where: { $0.name == input.name }) else { continue }
        expected = try ExpectedValues(of: input, in: teller)
      }
      let values = expected ?? .unit
      var random = SplitMix64(seed: UInt64(index))
      arrays[input.name] = try random.array(
        for: input.name, of: model, shape: [samples] + shape
      ) { values.value($0, at: $1 % size) }
      words.append((input.name, model.wordsOfNumbers(for: input.name) ?? values.words))
    }
    self.arrays = arrays
    self.words =
      Set(words.map(\.text)).count == 1
      ? words[0].text
      : "numbers (\(words.map { "\(quoted($0.input)): \($0.text)" }.joined(separator: "; ")))"
  }
}

extension Model {
  /// Returns a description of an input that a layer reads as token ids; `nil` if none does.
  fileprivate func wordsOfNumbers(for input: String) -> String? {
    guard let layer = layerReadingTokenIDs(of: input), let count = tokenCount(for: input) else {
      return nil
    }
    return ExpectedValues.words(0, Double(count - 1), areWhole: true, for: layer.name)
  }
}
