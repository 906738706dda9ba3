import ModelIR
import Operators
import Testing

/// Images that are large enough to be shared by threads.
@Suite struct LargeImageTests {
  /// 350 x 420 pixels, each 1,000 · row + column; so 349 x 419 positions of a 2 x 2 window.
  private let image = NDArray<Double>(
    shape: [350, 420, 1],
    values: (0..<350).flatMap { row in (0..<420).map { Double(1_000 * row + $0) } })

  @Test func `a convolution has each place of a large image`() throws {
    let convolution = Convolution2D(outputChannels: 1, kernelSize: Size2D(2, 2))
    let kernel = NDArray<Double>(shape: [2, 2, 1, 1], values: [1, 1, 1, 1])
    let y = try convolution.evaluate([image], [.kernel: kernel])
    #expect(y.shape == [349, 419, 1])
    // Four times the mean: half a row and half a column further.
    #expect(y.values == places { row, column in 4_000 * row + 4 * column + 2_002 })
  }

  @Test func `a depthwise convolution has each place of a large image`() throws {
    let convolution = DepthwiseConvolution2D(kernelSize: Size2D(2, 2))
    let kernel = NDArray<Double>(shape: [2, 2, 1, 1], values: [0, 1, -1, 0])
    let y = try convolution.evaluate([image], [.kernel: kernel])
    #expect(y.values == places { _, _ in 1 - 1_000 })
  }

  @Test func `a pooling has each place of a large image`() throws {
    let pooling = MaxPooling2D(poolSize: Size2D(2, 2), strides: .one)
    let y = try pooling.evaluate([image], [:])
    #expect(y.values == places { row, column in 1_000 * (row + 1) + column + 1 })
  }

  private func places(_ value: (_ row: Int, _ column: Int) -> Int) -> [Double] {
    (0..<349).flatMap { row in (0..<419).map { Double(value(row, $0)) } }
  }
}
