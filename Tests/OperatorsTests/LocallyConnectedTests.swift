import ModelIR
import Operators
import Testing

@Suite struct LocallyConnectedTests {
  @Test func `agrees with TensorFlow`() throws {
    // One of them ends in a softmax.
    try expectTensorFlow("LocallyConnected1D", cases: 3, tolerance: functionTolerance)
    try expectTensorFlow("LocallyConnected2D", cases: 3)
  }

  @Test func `parameters name the places that they are for`() throws {
    let layer = LocallyConnected2D(outputChannels: 5, kernelSize: Size2D(3, 2))
    let specs = try layer.parameters(for: [Shape([7, 6, 4])])
    #expect(specs.map(\.layout.description) == ["L(HWI)O", "HWO"])
    #expect(try specs.map { try $0.layout.shape($0.sizes) } == [[25, 24, 5], [5, 5, 5]])
    let line = LocallyConnected1D(outputChannels: 5, kernelSize: Size1D(3), strides: Size1D(2))
    let ofLine = try line.parameters(for: [Shape([8, 4])])
    #expect(ofLine.map(\.layout.description) == ["L(WI)O", "WO"])
    #expect(try ofLine.map { try $0.layout.shape($0.sizes) } == [[3, 12, 5], [3, 5]])
  }

  @Test func `an open size is refused, since kernels are as many as places`() {
    let layer = LocallyConnected1D(outputChannels: 5, kernelSize: Size1D(3))
    #expect(
      message { () throws(NetconvError) in _ = try layer.parameters(for: [Shape([nil, 4])]) }
        == "the input has shape (None, 4); this layer needs every size that it mixes to be known, so "
        + "fix the size of the model's input")
  }
}
