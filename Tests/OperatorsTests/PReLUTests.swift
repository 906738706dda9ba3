import ModelIR
import Operators
import Testing

@Suite struct PReLUTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("PReLU", cases: 4)
  }

  @Test func `shared axes have one slope`() throws {
    let specs = { try PReLU(sharedAxes: $0).parameters(for: [$1])[0] }
    let whole = try specs([], Shape([2, 3, 4]))
    #expect(try whole.layout.shape(whole.sizes) == [2, 3, 4])
    let channels = try specs([0, 1], Shape([nil, nil, 4]))
    #expect(try channels.layout.shape(channels.sizes) == [1, 1, 4])
    #expect(channels.layout.description == "HWC")
    #expect(channels.kind == .vector)
  }

  @Test func `a NaN stays one`() throws {
    let x = NDArray<Double>(shape: [2], values: [.nan, -2])
    let alpha = NDArray<Double>(shape: [2], values: [3, 3])
    let y = try PReLU().evaluate([x], [.alpha: alpha])
    #expect(y.values[0].isNaN)
    #expect(y.values[1] == -6)
  }

  @Test func `needs every size that is not shared`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try PReLU(sharedAxes: [0]).parameters(for: [Shape([nil, nil, 4])])
      }
        == "the input has shape (None, None, 4); this layer needs every size that it mixes to be known, so "
        + "fix the size of the model's input")
  }

  @Test func `refuses an axis that is not there`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try PReLU(sharedAxes: [2]).outputShape(for: [Shape([2, 3])])
      } == "axis 2 does not exist in an input of rank 2 (the batch is not counted)")
  }

  @Test func `keeps the order of a flatten`() throws {
    #expect(PReLU().axisFlow(from: [Shape([6])]) == .elementwise)
    #expect(try PReLU().parameters(for: [Shape([6])])[0].featureAxis == .channels)
    #expect(try PReLU(sharedAxes: [0]).parameters(for: [Shape([6])])[0].featureAxis == nil)
  }
}
