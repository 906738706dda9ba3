import MetalPerformanceShadersGraph
import Testing

@Suite struct OperationTests {
  let lab = GraphLab()
  var graph: MPSGraph { lab.graph }

  @Test func `arithmetic of tensors`() {
    let (a, b) = (lab.constant([6, 8], [2]), lab.constant([2, -4], [2]))
    #expect(lab.run(graph.addition(a, b, name: nil)) == [8, 4])
    #expect(lab.run(graph.subtraction(a, b, name: nil)) == [4, 12])
    #expect(lab.run(graph.multiplication(a, b, name: nil)) == [12, -32])
    #expect(lab.run(graph.division(a, b, name: nil)) == [3, -2])
    #expect(lab.run(graph.maximum(a, lab.constant([7], [1]), name: nil)) == [7, 8])
    #expect(lab.run(graph.minimum(a, lab.constant([7], [1]), name: nil)) == [6, 7])
    #expect(lab.run(graph.power(a, lab.constant([2], [1]), name: nil)) == [36, 64])
    let (least, most) = (lab.constant([-1], [1]), lab.constant([7], [1]))
    #expect(lab.run(graph.clamp(a, min: least, max: most, name: nil)) == [6, 7])
    #expect(lab.run(graph.clamp(b, min: least, max: most, name: nil)) == [2, -1])
  }

  @Test func `dimensions of size one repeat`() {
    let matrix = lab.constant([1, 2, 3, 4, 5, 6], [2, 3])
    let sum = graph.addition(matrix, lab.constant([10, 20, 30], [3]), name: nil)
    #expect(lab.run(sum) == [11, 22, 33, 14, 25, 36])
    let other = graph.addition(matrix, lab.constant([10, 20], [2, 1]), name: nil)
    #expect(lab.run(other) == [11, 12, 13, 24, 25, 26])
    let outer = graph.multiplication(
      lab.constant([1, 2], [2, 1]), lab.constant([1, 10, 100], [1, 3]), name: nil)
    #expect(lab.run(outer) == [1, 10, 100, 2, 20, 200] && lab.shape(outer) == [2, 3])
  }

  @Test func `functions of a number`() {
    let x = lab.constant([-2, 0, 4], [3])
    #expect(lab.run(graph.reLU(with: x, name: nil)) == [0, 0, 4])
    #expect(lab.run(graph.leakyReLU(with: x, alpha: 0.25, name: nil)) == [-0.5, 0, 4])
    #expect(lab.run(graph.square(with: x, name: nil)) == [4, 0, 16])
    #expect(lab.run(graph.absolute(with: x, name: nil)) == [2, 0, 4])
    #expect(lab.run(graph.negative(with: x, name: nil)) == [2, 0, -4])
    #expect(lab.run(graph.squareRoot(with: lab.constant([0, 9], [2]), name: nil)) == [0, 3])
    #expect(
      lab.run(graph.reciprocal(with: lab.constant([4, -2], [2]), name: nil)) == [0.25, -0.5])
  }

  @Test func `transcendental functions`() {
    // At -2, 0 and 1; as printed by a C library in double precision.
    let x = lab.constant([-2, 0, 1], [3])
    let expected: [(MPSGraphTensor, [Float])] = [
      (graph.sigmoid(with: x, name: nil), [0.119202922, 0.5, 0.731058579]),
      (graph.tanh(with: x, name: nil), [-0.96402758, 0, 0.761594156]),
      (graph.exponent(with: x, name: nil), [0.135335283, 1, 2.71828183]),
      (graph.erf(with: x, name: nil), [-0.995322265, 0, 0.842700793]),
      (
        graph.logarithm(with: lab.constant([1, 2, 10], [3]), name: nil),
        [0, 0.693147181, 2.30258509]
      ),
    ]
    for (tensor, values) in expected {
      for (found, wanted) in zip(lab.run(tensor), values) { #expect(abs(found - wanted) < 3e-7) }
    }
  }

  @Test func `softmax along an axis`() {
    let two = log(Float(2))
    let x = lab.constant([0, two, 0, two, 1000, 1000], [3, 2])
    for (found, wanted) in zip(
      lab.run(graph.softMax(with: x, axis: -1, name: nil)),
      [Float(1) / 3, Float(2) / 3, Float(1) / 3, Float(2) / 3, 0.5, 0.5])
    {
      #expect(abs(found - wanted) < 1e-6)
    }
    #expect(
      lab.run(graph.softMax(with: lab.constant([0, 5, 0, 5], [2, 2]), axis: 0, name: nil)) == [
        0.5, 0.5, 0.5, 0.5,
      ])
  }

  @Test func `reductions leave a size of one`() {
    let x = lab.constant((1...12).map(Float.init), [2, 3, 2])
    let sum = graph.reductionSum(with: x, axis: 1, name: nil)
    #expect(lab.shape(sum) == [2, 1, 2] && lab.run(sum) == [9, 12, 27, 30])
    #expect(lab.run(graph.reductionSum(with: x, axes: [0, 2], name: nil)) == [18, 26, 34])
    #expect(lab.run(graph.reductionMaximum(with: x, axis: -1, name: nil)) == [2, 4, 6, 8, 10, 12])
    #expect(lab.run(graph.reductionMaximum(with: x, axes: [0, 1], name: nil)) == [11, 12])
    #expect(lab.run(graph.mean(of: x, axes: [1, 2], name: nil)) == [3.5, 9.5])
    let variance = graph.variance(of: lab.constant([1, 3, 5, 7], [2, 2]), axes: [0], name: nil)
    #expect(lab.run(variance) == [4, 4])
  }

  @Test func `normalisation`() {
    // 2 * (x - 1) / sqrt(3 + 1) + 5 and 3 * (x - 10) / sqrt(8 + 1) - 1
    let x = lab.constant([1, 1, 2, 20], [1, 1, 2, 2])
    let result = graph.normalize(
      x, mean: lab.constant([1, 10], [2]), variance: lab.constant([3, 8], [2]),
      gamma: lab.constant([2, 3], [2]), beta: lab.constant([5, -1], [2]), epsilon: 1, name: nil)
    #expect(lab.run(result) == [5, -10, 6, 9])
    let plain = graph.normalize(
      x, mean: lab.constant([1, 10], [2]), variance: lab.constant([3, 8], [2]), gamma: nil,
      beta: lab.constant([1, 1], [2]), epsilon: 1, name: nil)
    #expect(lab.run(plain) == [1, -2, 1.5, Float(10) / 3 + 1])
  }

  @Test func `products of matrices`() {
    let left = lab.constant([1, 2, 3, 4, 5, 6], [2, 3])
    let right = lab.constant([1, 10, 100, 1000, 10_000, 100_000], [3, 2])
    let product = graph.matrixMultiplication(primary: left, secondary: right, name: nil)
    #expect(lab.run(product) == [30_201, 302_010, 60_504, 605_040])
    let batch = graph.matrixMultiplication(
      primary: lab.constant([1, 2, 3, 4], [2, 1, 2]), secondary: lab.constant([1, 10], [2, 1]),
      name: nil)
    #expect(lab.shape(batch) == [2, 1, 1] && lab.run(batch) == [21, 43])
  }

  @Test func `a product of odd sizes`() {
    // Row r is r + 1 everywhere, column c is c: the sums are 7 * (r + 1) * c.
    let left = lab.constant((0..<35).map { Float($0 / 7 + 1) }, [5, 7])
    let right = lab.constant((0..<133).map { Float($0 % 19) }, [7, 19])
    let product = graph.matrixMultiplication(primary: left, secondary: right, name: nil)
    let expected = (0..<95).map { index -> Float in
      let (row, column) = index.quotientAndRemainder(dividingBy: 19)
      return Float(7 * (row + 1) * column)
    }
    #expect(lab.run(product) == expected)
  }

  @Test func `shapes`() {
    let x = lab.constant([1, 2, 3, 4, 5, 6], [2, 3])
    let column = graph.reshape(x, shape: [-1, 1], name: nil)
    #expect(lab.shape(column) == [6, 1] && lab.run(column) == [1, 2, 3, 4, 5, 6])
    let turned = graph.transposeTensor(x, dimension: 0, withDimension: 1, name: nil)
    #expect(lab.shape(turned) == [3, 2] && lab.run(turned) == [1, 4, 2, 5, 3, 6])
    let cube = lab.constant((1...6).map(Float.init), [1, 2, 3])
    let permuted = graph.transpose(cube, permutation: [2, 0, 1], name: nil)
    #expect(lab.shape(permuted) == [3, 1, 2] && lab.run(permuted) == [1, 4, 2, 5, 3, 6])
    let part = graph.sliceTensor(x, dimension: 1, start: -2, length: 1, name: nil)
    #expect(lab.shape(part) == [2, 1] && lab.run(part) == [2, 5])
  }

  @Test func `tensors behind one another`() {
    let (a, b) = (lab.constant([1, 2, 3, 4], [2, 2]), lab.constant([5, 6], [2, 1]))
    let wide = graph.concatTensors([a, b], dimension: -1, name: nil)
    #expect(lab.shape(wide) == [2, 3] && lab.run(wide) == [1, 2, 5, 3, 4, 6])
    let tall = graph.concatTensors([a, lab.constant([7, 8], [1, 2])], dimension: 0, name: nil)
    #expect(lab.run(tall) == [1, 2, 3, 4, 7, 8])
  }

  @Test func `padding of tensors`() {
    let x = lab.constant([1, 2, 3], [1, 3])
    func pad(_ mode: MPSGraphPaddingMode) -> [Float] {
      lab.run(
        graph.padTensor(
          x, with: mode, leftPadding: [0, 2], rightPadding: [0, 1], constantValue: 9, name: nil))
    }
    #expect(pad(.constant) == [9, 9, 1, 2, 3, 9])
    #expect(pad(.reflect) == [3, 2, 1, 2, 3, 2])
    #expect(pad(.symmetric) == [2, 1, 1, 2, 3, 3])
  }

  @Test func `casts to integers cut`() throws {
    let cut = graph.cast(lab.constant([1.9, -1.9], [2]), to: .int32, name: nil)
    let results = graph.run(feeds: [:], targetTensors: [cut], targetOperations: nil)
    var numbers = [Int32](repeating: 0, count: 2)
    try #require(results[cut]).mpsndarray().readBytes(&numbers, strideBytes: nil)
    #expect(numbers == [1, -1])
  }

  func resize(
    _ numbers: [Float], to width: Int, _ mode: MPSGraphResizeMode, center: Bool, align: Bool
  ) -> [Float] {
    lab.run(
      graph.resize(
        lab.constant(numbers, [1, 1, numbers.count, 1]), size: [1, NSNumber(value: width)],
        mode: mode, centerResult: center, alignCorners: align, layout: .NHWC, name: nil))
  }

  @Test func `resizing as TensorFlow 2 does`() {
    #expect(resize([1, 2], to: 4, .nearest, center: true, align: false) == [1, 1, 2, 2])
    // Places -0.25, 0.25, 0.75 and 1.25.
    #expect(resize([0, 4], to: 4, .bilinear, center: true, align: false) == [0, 1, 3, 4])
  }

  @Test func `resizing from the corner, or with aligned corners`() {
    // Places 0, 0.5, 1 and 1.5; of two equally near the one behind.
    #expect(resize([0, 4], to: 4, .bilinear, center: false, align: false) == [0, 2, 4, 4])
    #expect(resize([1, 2], to: 4, .nearest, center: false, align: false) == [1, 2, 2, 2])
    #expect(resize([0, 3], to: 4, .bilinear, center: false, align: true) == [0, 1, 2, 3])
    #expect(resize([0, 1, 2, 3, 4], to: 3, .bilinear, center: true, align: true) == [0, 2, 4])
  }

  @Test func `resizing two dimensions`() {
    let image = lab.constant([1, 2, 3, 4], [1, 2, 2, 1])
    let larger = graph.resize(
      image, size: [4, 2], mode: .nearest, centerResult: true, alignCorners: false, layout: .NHWC,
      name: nil)
    #expect(lab.shape(larger) == [1, 4, 2, 1] && lab.run(larger) == [1, 2, 1, 2, 3, 4, 3, 4])
  }
}
