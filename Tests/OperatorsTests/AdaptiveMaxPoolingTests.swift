import ModelIR
import Operators
import Testing

@Suite struct AdaptiveMaxPoolingTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("AdaptiveMaxPooling1D", cases: 4)
    try expectTensorFlow("AdaptiveMaxPooling2D", cases: 3)
  }

  @Test func `a NaN anywhere in the window is the result`() throws {
    let pooling = AdaptiveMaxPooling2D(outputSize: Size2D(1, 1))
    for place in 0..<3 {
      var x = image([[1, 2, 3]])
      x.values[place] = .nan
      #expect(try pooling.evaluate([x], [:]).values[0].isNaN)
    }
  }

  @Test func `the output has its size, whatever the input's`() throws {
    let pooling = AdaptiveMaxPooling2D(outputSize: Size2D(2, 3))
    #expect(try pooling.outputShape(for: [Shape([nil, 10, nil])]) == Shape([2, 3, nil]))
    // ⌊10/3⌋ and ⌈20/3⌉ are four places apart.
    #expect(pooling.fanIn(of: [[4, 10, 5]]) == 2 * 4)
  }

  @Test func `refuses an empty output`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try AdaptiveMaxPooling1D(outputSize: Size1D(0)).outputShape(for: [Shape([2, 1])])
      } == "outputSize is 0, expected a number from 1 to 1048576")
  }
}
