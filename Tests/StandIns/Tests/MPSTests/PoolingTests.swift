import MetalPerformanceShaders
import Testing

@Suite struct PoolingTests {
  let lab = Lab()

  func maximum(_ width: Int, _ height: Int, _ strideX: Int, _ strideY: Int) -> MPSCNNPoolingMax {
    MPSCNNPoolingMax(
      device: lab.device, kernelWidth: width, kernelHeight: height, strideInPixelsX: strideX,
      strideInPixelsY: strideY)
  }

  func average(
    _ width: Int, _ height: Int, _ strideX: Int, _ strideY: Int
  ) -> MPSCNNPoolingAverage {
    MPSCNNPoolingAverage(
      device: lab.device, kernelWidth: width, kernelHeight: height, strideInPixelsX: strideX,
      strideInPixelsY: strideY)
  }

  @Test func `a window of two that begins in the corner has the offset one`() {
    let (kernel, source) = (maximum(2, 1, 2, 1), lab.row([1, 5, 2, 8, 3]))
    // Without: (outside, 1), (5, 2), (8, 3).
    #expect(lab.run(kernel, on: source, 3, 1, 1) == [1, 5, 8])
    kernel.offset.x = 1
    #expect(lab.run(kernel, on: source, 3, 1, 1) == [5, 8, 3])
  }

  @Test func `zeros outside take part in a maximum, clamped edges do not`() {
    let (kernel, source) = (maximum(2, 1, 2, 1), lab.row([-1, -5, -2, -8, -3]))
    kernel.offset.x = 1
    #expect(lab.run(kernel, on: source, 3, 1, 1) == [-1, -2, 0])
    kernel.edgeMode = .clamp
    #expect(lab.run(kernel, on: source, 3, 1, 1) == [-1, -2, -3])
  }

  @Test func `zeros outside count in an average, clamped edges do not`() {
    let (kernel, source) = (average(2, 1, 2, 1), lab.row([1, 5, 2, 8, 3]))
    kernel.offset.x = 1
    #expect(lab.run(kernel, on: source, 3, 1, 1) == [3, 5, 1.5])
    kernel.edgeMode = .clamp
    #expect(lab.run(kernel, on: source, 3, 1, 1) == [3, 5, 3])
    kernel.zeroPadSizeX = 1
    #expect(lab.run(kernel, on: source, 3, 1, 1) == [3, 5, 1.5])
  }

  @Test func `padding counts as far as it reaches`() {
    // Windows of four begin at -2 and 3; one zero on each side counts: (0 + 1 + 5) / 3 and (8 + 3 + 0) / 3.
    let kernel = average(4, 1, 5, 1)
    kernel.edgeMode = .clamp
    kernel.zeroPadSizeX = 1
    #expect(lab.run(kernel, on: lab.row([1, 5, 2, 8, 3]), 2, 1, 1) == [2, Float(11) / 3])
  }

  @Test func `a window outside has no average`() {
    let kernel = average(2, 1, 1, 1)
    kernel.edgeMode = .clamp
    kernel.offset.x = 7
    #expect(lab.run(kernel, on: lab.row([1, 2]), 1, 1, 1) == [0])
  }

  @Test func `odd windows`() {
    let source = lab.row([1, 5, 2, 8, 3])
    let (most, mean) = (maximum(3, 1, 1, 1), average(3, 1, 1, 1))
    mean.edgeMode = .clamp
    #expect(lab.run(most, on: source, 5, 1, 1) == [5, 5, 8, 8, 8])
    #expect(
      lab.run(mean, on: source, 5, 1, 1) == [3, Float(8) / 3, 5, Float(13) / 3, 5.5])
  }

  @Test func `rows are not columns, and nine channels cross the slices`() {
    // 3 x 2 pixels; channel c of pixel p is 10 p + c, the maximum of columns {0, 1} and {2}, rows {0, 1}.
    let numbers = (0..<54).map { Float($0 / 9 * 10 + $0 % 9) }
    let kernel = maximum(2, 2, 2, 2)
    kernel.offset = MPSOffset(x: 1, y: 1, z: 0)
    let expected = (0..<9).map { Float(40 + $0) } + (0..<9).map { Float(50 + $0) }
    #expect(lab.run(kernel, on: lab.image(numbers, 3, 2, 9), 2, 1, 9) == expected)
  }

  @Test func `a window as large as the image is its mean`() {
    let source = lab.image([1, 2, 3, 4, 5, 6, 7, 8], 4, 2, 1)
    let kernel = average(4, 2, 1, 1)
    kernel.offset = MPSOffset(x: 4 / 2, y: 2 / 2, z: 0)
    #expect(lab.run(kernel, on: source, 1, 1, 1) == [4.5])
  }

  @Test func `the first result of a clip rectangle lies around the offset`() {
    let (kernel, source) = (maximum(2, 1, 2, 1), lab.row([1, 5, 2, 8, 3]))
    kernel.offset.x = 3
    kernel.clipRect = MTLRegionMake2D(1, 0, 1, 1)
    #expect(lab.run(kernel, on: source, 3, 1, 1) == [0, 8, 0])
  }
}
