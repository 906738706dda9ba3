import ModelIR
import Operators
import Testing

@Suite struct ResizingTests {
  @Test func `agrees with TensorFlow`() throws {
    // TensorFlow has its weights in float32, of four to eleven pixels along each axis.
    try expectTensorFlow("Resizing", cases: 84, tolerance: 8 * functionTolerance)
  }

  @Test func `worked by hand`() throws {
    let x = image([[0, 4], [8, 12]])
    #expect(
      try Resizing(size: Size2D(1, 4)).evaluate([x], [:]) == image([[4, 5, 7, 8]]))
    #expect(
      try Resizing(size: Size2D(3, 1), interpolation: .nearest).evaluate([x], [:])
        == image([[4], [12], [12]]))
    #expect(
      try Resizing(size: Size2D(1, 1), interpolation: .area).evaluate([x], [:]) == image([[6]]))
  }

  @Test func `a pixel that lies within one of the source has its value`() throws {
    for (count, length) in [(4000, 300), (77, 17), (901, 400)] {
      let taps = Interpolation.area.taps(count, from: length)
      let inner = taps.enumerated().filter { index, taps in
        taps.count == 1 && index * length % count != 0 && (index + 1) * length % count != 0
      }
      #expect(inner.count > count / 2)
      #expect(inner.allSatisfy { $0.element[0].share == 1 })
    }
  }

  @Test func `keeps proportions if asked`() throws {
    let x = image([[0, 1, 2, 3], [4, 5, 6, 7]])
    #expect(
      try Resizing(size: Size2D(2, 2), proportion: .crop).evaluate([x], [:])
        == image([[1, 2], [5, 6]]))
    #expect(
      try Resizing(size: Size2D(4, 4), proportion: .pad, fill: 9).evaluate([x], [:])
        == image([[9, 9, 9, 9], [0, 1, 2, 3], [4, 5, 6, 7], [9, 9, 9, 9]]))
  }

  @Test func `the size is known, whatever goes in`() throws {
    #expect(
      try Resizing(size: Size2D(2, 3)).outputShape(for: [Shape([nil, nil, 5])]) == Shape([2, 3, 5]))
  }

  @Test func `refuses what makes no sense`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try Resizing(size: Size2D(0, 1)).outputShape(for: [Shape([4, 5, 6])])
      } == "size is 0, expected a number from 1 to 1048576")
  }
}
