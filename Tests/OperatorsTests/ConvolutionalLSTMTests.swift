import ModelIR
import Operators
import Testing

@Suite struct ConvolutionalLSTMTests {
  @Test func `agrees with TensorFlow`() throws {
    // Functions of sums, one after the other for three steps.
    try expectTensorFlow("ConvolutionalLSTM1D", cases: 8, tolerance: 4 * functionTolerance)
    try expectTensorFlow("ConvolutionalLSTM2D", cases: 8, tolerance: 4 * functionTolerance)
  }

  @Test func `inputs that do not fit are refused`() {
    func problem(_ layer: ConvolutionalLSTM1D, _ shapes: [[Int]]) -> String? {
      message { () throws(NetconvError) in _ = try layer.outputShape(for: shapes.map { Shape($0) })
      }
    }
    let layer = ConvolutionalLSTM1D(
      outputChannels: 3, kernelSize: Size1D(2), recurrence: Recurrence(takesState: true))
    #expect(layer.inputCount == 3...3)
    #expect(problem(layer, [[5, 7, 2], [6, 3], [6, 3]]) == nil)
    #expect(
      problem(layer, [[5, 7, 2], [6, 3], [7, 3]])
        == "the state has shape (7, 3), expected (6, 3), as the output of a step")
    #expect(
      problem(layer, [[5, 7], [6, 3], [6, 3]])
        == "the input has shape (5, 7), expected (steps, length, channels)")
    let masked = ConvolutionalLSTM1D(
      outputChannels: 3, kernelSize: Size1D(2), recurrence: Recurrence(takesMask: true))
    #expect(
      problem(masked, [[5, 7, 2]])
        == "recurrence has a mask, but ConvolutionalLSTM1D reads none")
  }

  @Test func `parameters name places, gates and channels`() throws {
    let layer = ConvolutionalLSTM2D(outputChannels: 3, kernelSize: Size2D(4, 5))
    let specs = try layer.parameters(for: [Shape([nil, 7, 8, 2])])
    #expect(
      specs.map(\.layout.description) == [
        "HWI(G[ifco]N)", "HWI(G[ifco]N)", "(G[ifco]N)",
      ])
    #expect(
      try specs.map { try $0.layout.shape($0.sizes) } == [[4, 5, 2, 12], [4, 5, 3, 12], [12]])
  }
}
