import ModelIR
import Operators
import Testing

@Suite struct EmbeddingTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Embedding", cases: 2)
  }

  @Test func `a number without a vector is refused, and a fraction is cut off`() throws {
    let embedding = Embedding(count: 2, outputChannels: 1)
    let table = NDArray<Double>(shape: [2, 1], values: [5, 7])
    func look(_ value: Double) throws(NetconvError) -> Double {
      try embedding.evaluate([NDArray(shape: [1], values: [value])], [.kernel: table]).values[0]
    }
    #expect(try look(1.9) == 7)
    #expect(try look(-0.5) == 5)
    for value in [2.0, -1, .nan, .infinity] {
      #expect(
        message { () throws(NetconvError) in _ = try look(value) }
          == "the input has the value \(numeral(value)), but there are vectors for 0 to 1")
    }
  }
}
