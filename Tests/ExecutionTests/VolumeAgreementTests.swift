import Execution
import ModelIR
import Operators
import Testing

/// Every operator over small volumes, against the definition.
@Suite struct VolumeAgreementTests {
  private static let sizes = [[1, 2, 3], [3, 1, 2], [2, 3, 1], [4, 3, 5], [5, 6, 4]]
  private static let kernels = [[1, 1, 1], [2, 1, 3], [3, 2, 1], [1, 3, 2], [3, 3, 3]]
  private static let strides = [[1, 1, 1], [2, 1, 3], [1, 3, 2]]
  /// Input channels, output channels, groups.
  private static let channels = [(1, 1, 1), (3, 17, 1), (4, 6, 2), (3, 3, 3)]

  @Test(arguments: sizes, [Padding.valid, .same, .sameLower])
  func `convolutions of every shape`(size: [Int], padding: Padding) throws {
    for kernel in Self.kernels {
      for stride in Self.strides {
        for dilation in [[1, 1, 1], [2, 1, 1], [1, 3, 2]] {
          for (input, output, groups) in Self.channels {
            try compare(
              Convolution3D(
                outputChannels: output, kernelSize: .init(sizes: kernel),
                strides: .init(sizes: stride), dilation: .init(sizes: dilation), groups: groups,
                padding: padding, activation: .relu6), size + [input])
          }
        }
      }
    }
  }

  @Test func `convolutions with amounts of padding`() throws {
    try compare(
      Convolution3D(
        outputChannels: 5, kernelSize: Size3D(3, 2, 4), strides: Size3D(1, 2, 1),
        padding: .amounts([[2, 0], [0, 1], [3, 1]]), activation: .softmax(axis: -1)), [4, 5, 3, 2])
  }

  @Test(arguments: [1, 2, 3])
  func `work that is shared by threads`(threads: Int) throws {
    for padding in [Padding.valid, .same] {
      let convolution = Convolution3D(
        outputChannels: 16, kernelSize: Size3D(3, 3, 3), padding: padding)
      let model = try model(convolution, [13, 11, 12, 8])
      try expectAgreement(model, randomInputs(of: model, batch: 2), threads: [threads])
    }
    let pooling = try model(MaxPooling3D(poolSize: Size3D(2, 3, 2)), [20, 21, 22, 8])
    try expectAgreement(pooling, randomInputs(of: pooling, batch: 2), threads: [threads])
  }

  @Test func `zeros and sums that a convolution takes over`() throws {
    let convolution = Convolution3D(outputChannels: 3, kernelSize: Size3D(2, 3, 3))
    let padding = ZeroPadding3D(sides: [[1, 0], [2, 1], [0, 3]])
    let alone = try chain([padding, convolution, Activation(.relu)], input: Shape([3, 4, 5, 2]))
    try expectAgreement(alone, randomInputs(of: alone, batch: 2))
  }

  @Test(arguments: sizes, [Padding.valid, .same, .sameLower])
  func `poolings of every shape`(size: [Int], padding: Padding) throws {
    for kernel in Self.kernels {
      for stride in Self.strides {
        let (pool, strides) = (Size3D(sizes: kernel), Size3D(sizes: stride))
        try compare(
          MaxPooling3D(poolSize: pool, strides: strides, padding: padding), size + [3])
        try compare(
          AveragePooling3D(poolSize: pool, strides: strides, padding: padding), size + [3])
      }
    }
    for keeps in [false, true] {
      try compare(GlobalMaxPooling3D(keepDimensions: keeps), size + [5])
      try compare(GlobalAveragePooling3D(keepDimensions: keeps), size + [5])
    }
  }

  @Test func `poolings with amounts of padding`() throws {
    let padding = Padding.amounts([[1, 2], [0, 1], [2, 0]])
    try compare(
      AveragePooling3D(poolSize: Size3D(3, 2, 4), strides: Size3D(2, 1, 3), padding: padding),
      [5, 4, 6, 2])
    try compare(
      MaxPooling3D(poolSize: Size3D(3, 2, 4), strides: Size3D(2, 1, 3), padding: padding),
      [5, 4, 6, 2])
  }

  @Test(arguments: sizes, [Padding.valid, .same])
  func `transposed convolutions of every shape`(size: [Int], padding: Padding) throws {
    for kernel in Self.kernels {
      for stride in Self.strides {
        for extra in [nil, Size3D(sizes: stride.map { $0 - 1 })] {
          try compare(
            TransposedConvolution3D(
              outputChannels: 4, kernelSize: .init(sizes: kernel), strides: .init(sizes: stride),
              padding: padding, outputPadding: extra), size + [3])
        }
      }
    }
    try compare(
      TransposedConvolution3D(
        outputChannels: 4, kernelSize: Size3D(2, 3, 2), strides: Size3D(3, 1, 2),
        dilation: Size3D(1, 2, 3), padding: padding), size + [3])
  }

  @Test(arguments: sizes)
  func `borders and enlargement`(size: [Int]) throws {
    try compare(ZeroPadding3D(sides: [[1, 0], [2, 3], [0, 1]]), size + [3])
    let padded = zip(size, [2, 3, 1]).map(+) + [2]
    try compare(Cropping3D(sides: [[1, 1], [0, 3], [1, 0]]), padded)
    for interpolation in [Interpolation.nearest, .bilinear] {
      try compare(UpSampling3D(size: Size3D(2, 1, 3), interpolation: interpolation), size + [3])
    }
  }

  /// The definition along three axes, against that along two of volumes with one slice, and with slices apart.
  @Test func `a volume of one slice is an image`() throws {
    let shape = [6, 5, 3]
    let image = try model(
      Convolution2D(outputChannels: 4, kernelSize: Size2D(3, 2), padding: .same), shape)
    let volume = try model(
      Convolution3D(outputChannels: 4, kernelSize: Size3D(1, 3, 2), padding: .same), [1] + shape)
    let inputs = randomInputs(of: image, batch: 2)
    let other = Dictionary(
      uniqueKeysWithValues: inputs.map { name, array in
        (name, NDArray(shape: [2, 1] + shape, values: array.values))
      })
    let (first, second) = (
      try ReferenceEngine(image).run(inputs), try ReferenceEngine(volume).run(other)
    )
    #expect(first.values.first?.values == second.values.first?.values)
  }

  private func compare(_ operation: any Operator, _ shape: [Int]) throws {
    // Not every combination has an output.
    guard let sizes = try? operation.outputShape(for: [Shape(shape)]).known,
      sizes.allSatisfy({ $0 > 0 })
    else { return }
    let model = try model(operation, shape)
    try expectAgreement(model, randomInputs(of: model, batch: 2), "\(operation) of \(shape)")
  }
}
