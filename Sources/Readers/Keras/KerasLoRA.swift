import ModelIR

/// A kernel with a low-rank adaptation (LoRA): `kernel + lora_alpha / lora_rank * A·B`.
///
/// Source: keras/src/layers/core/dense.py and keras/src/layers/convolutional/base_conv.py, `kernel`;
/// keras/src/layers/core/embedding.py, `embeddings`.
struct KerasLoRA: Equatable {
  /// The number of columns of A and of rows of B.
  let rank: Int
  /// The scale of the product, times the rank.
  let alpha: Double
  /// The name of the kernel in the layer.
  let kernel: String

  /// Returns the name of the kernel in layers of a class.
  fileprivate static func kernel(of className: String) -> String {
    className == "Embedding" ? "embeddings" : "kernel"
  }

  /// Returns the names of the weights A and B.
  static func parts(of className: String) -> [String] {
    let kernel = kernel(of: className)
    return ["lora_\(kernel)_a", "lora_\(kernel)_b"]
  }
}

extension KerasLayerConfig {
  /// The adaptation of the layer's kernel; `nil` if there is none.
  ///
  /// - Throws: `badData` if a setting has the wrong type.
  var lora: KerasLoRA? {
    get throws(NetconvError) {
      guard let rank = try optionalInt("lora_rank") else { return nil }
      guard rank > 0 else {
        throw NetconvError.wrongSetting(
          "lora_rank", .number(Double(rank)), expected: "a number above 0")
      }
      // Keras defaults to the rank.
      return KerasLoRA(
        rank: rank, alpha: try optionalDouble("lora_alpha") ?? Double(rank),
        kernel: KerasLoRA.kernel(of: className))
    }
  }

  /// Returns the weights with the adaptation merged into the kernel.
  ///
  /// - Parameter found: The weights of the layer in the file.
  /// - Throws: `badData` if a part of the adaptation is missing or does not fit.
  func addingLoRA(
    _ found: [(name: String, stored: StoredTensor)]
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)] {
    // A quantised layer adds the product to its output instead.
    guard quantization == nil, let lora = try lora else { return found }
    return try lora.added(to: found)
  }
}

extension KerasLoRA {
  fileprivate func added(
    to found: [(name: String, stored: StoredTensor)]
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)] {
    func weight(_ name: String) throws(NetconvError) -> StoredTensor {
      guard let stored = found.first(where: { $0.name == name })?.stored else {
        throw .missingWeight(name, found: found.map(\.name))
      }
      return stored
    }
    let names = (a: "lora_\(kernel)_a", b: "lora_\(kernel)_b")
    let (kernel, a, b) = try (weight(self.kernel), weight(names.a), weight(names.b))
    let shape = kernel.shape ?? []
    guard shape.count > 1, let columns = shape.last, columns > 0,
      a.shape == shape.dropLast() + [rank], b.shape == [rank, columns]
    else { throw .wrongLoRA(kernel.shape, (names.a, a.shape), (names.b, b.shape), rank: rank) }
    var sum = kernel
    sum.source = LowRankSum(
      kernel: kernel.source, a: WholeTensor(a.source), b: WholeTensor(b.source),
      scale: alpha / Double(rank), rank: rank, columns: columns)
    return found.compactMap { weight in
      switch weight.name {
      case self.kernel: (weight.name, sum)
      case names.a, names.b: nil
      default: weight
      }
    }
  }
}

/// A matrix with the scaled product of two narrow matrices added on reading.
///
/// Sums are accumulated in double precision and rounded once; the narrow matrices are held in memory.
private struct LowRankSum: TensorSource {
  let kernel: any TensorSource
  let a: WholeTensor
  let b: WholeTensor
  let scale: Double
  let rank: Int
  let columns: Int

  var elementType: ElementType { .float32 }
  var count: Int { kernel.count }
  var isSequential: Bool { kernel.isSequential }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try kernel.read(range, into: values)
    let (a, b) = (try a.values(), try b.values())
    var start = range.lowerBound
    while start < range.upperBound {
      // A segment of one row.
      let row = start / columns
      let end = min((row + 1) * columns, range.upperBound)
      for index in start..<end {
        var sum = 0.0
        for term in 0..<rank {
          sum += Double(a[row * rank + term]) * Double(b[term * columns + index - row * columns])
        }
        let place = index - range.lowerBound
        values[place] = Float(Double(values[place]) + scale * sum)
      }
      start = end
    }
  }

  func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
    try kernel.overflows(in: range)
  }
}

extension NetconvError {
  fileprivate static func wrongLoRA(
    _ kernel: [Int]?, _ a: (name: String, shape: [Int]?), _ b: (name: String, shape: [Int]?),
    rank: Int
  ) -> NetconvError {
    func text(_ shape: [Int]?) -> String { shape.map { "\($0)" } ?? "unknown" }
    return NetconvError(
      .badData,
      "\(a.name) is \(text(a.shape)) and \(b.name) \(text(b.shape)), which do not add up to a kernel of "
        + "\(text(kernel)) with lora_rank \(rank)")
  }
}
