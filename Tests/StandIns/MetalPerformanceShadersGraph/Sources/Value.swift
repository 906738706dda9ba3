/// Numbers of a shape while a graph runs: floats that its type can store.
final class Value {
  let shape: [Int]
  let dataType: MPSDataType
  let numbers: UnsafeMutableBufferPointer<Float>

  var count: Int { numbers.count }
  var first: UnsafeMutablePointer<Float> { numbers.baseAddress.unsafelyUnwrapped }

  init(_ shape: [Int], _ dataType: MPSDataType) {
    precondition(shape.allSatisfy { $0 > 0 }, "a tensor of shape \(shape) cannot be computed")
    self.shape = shape
    self.dataType = dataType
    numbers = .allocate(capacity: shape.reduce(1, *))
    numbers.initialize(repeating: 0)
  }

  convenience init(_ data: Data, _ shape: [Int], _ dataType: MPSDataType) {
    precondition(
      data.count == shape.reduce(dataType.size, *),
      "\(data.count) bytes are not \(shape) of \(dataType)")
    self.init(shape, dataType)
    data.withUnsafeBytes { bytes in
      for index in numbers.indices {
        let place = index * dataType.size
        numbers[index] =
          switch dataType {
          case .float32: bytes.loadUnaligned(fromByteOffset: place, as: Float.self)
          case .float16: Float(bytes.loadUnaligned(fromByteOffset: place, as: Float16.self))
          case .int32: Float(bytes.loadUnaligned(fromByteOffset: place, as: Int32.self))
          case .uInt8: Float(bytes[place])
          case .invalid: preconditionFailure("numbers of no type")
          }
      }
    }
  }

  /// A shape as numbers.
  convenience init(sizes: [Int]) {
    self.init([sizes.count], .int32)
    for (index, size) in sizes.enumerated() { numbers[index] = Float(size) }
  }

  deinit { numbers.deallocate() }

  /// The numbers as a shape.
  var sizes: [Int] { numbers.map { Int($0) } }

  /// As the type stores them: halves to even, integers towards zero.
  func round() {
    switch dataType {
    case .float16: Component.float16.round(numbers)
    case .int32, .uInt8: for index in numbers.indices { numbers[index].round(.towardZero) }
    case .float32, .invalid: break
    }
  }

  var bytes: Data {
    var data = Data(count: count * dataType.size)
    data.withUnsafeMutableBytes { bytes in
      for index in numbers.indices {
        let place = index * dataType.size
        switch dataType {
        case .float32: bytes.storeBytes(of: numbers[index], toByteOffset: place, as: Float.self)
        case .float16:
          bytes.storeBytes(of: Float16(numbers[index]), toByteOffset: place, as: Float16.self)
        case .int32:
          bytes.storeBytes(of: Int32(numbers[index]), toByteOffset: place, as: Int32.self)
        case .uInt8: bytes[place] = UInt8(numbers[index])
        case .invalid: preconditionFailure("numbers of no type")
        }
      }
    }
    return data
  }
}

/// How an operation computes: the shape of its result, then the numbers.
struct Rule {
  /// Sizes of -1 are not known yet.
  let shape: ([[Int]]) -> [Int]
  let compute: ([Value], Value) -> Void
  let constant: Value?
  /// The input whose numbers are the shape of the result, where it does not follow from the inputs' shapes.
  let shapeInput: Int?
  /// Whether the numbers of the result are the sizes of the input.
  let givesSizes: Bool

  init(
    shapeInput: Int? = nil, givesSizes: Bool = false, shape: @escaping ([[Int]]) -> [Int],
    compute: @escaping ([Value], Value) -> Void
  ) {
    (self.shape, self.compute, constant) = (shape, compute, nil)
    (self.shapeInput, self.givesSizes) = (shapeInput, givesSizes)
  }

  init(constant: Value) {
    shape = { _ in constant.shape }
    compute = { _, _ in }
    self.constant = constant
    (shapeInput, givesSizes) = (nil, false)
  }

  /// A function of each number.
  static func map(_ function: @escaping (Float) -> Float) -> Rule {
    Rule(
      shape: { $0[0] },
      compute: { inputs, result in
        for index in result.numbers.indices {
          result.numbers[index] = function(inputs[0].numbers[index])
        }
      })
  }
}

/// A walk through a result's places and those of an input that is broadcast to it.
struct Broadcast {
  private let sizes: [Int]
  private let strides: [Int]

  /// Dimensions are aligned at the fastest; those of size 1 repeat.
  init(_ shape: [Int], to result: [Int]) {
    sizes = result
    var strides = [Int](repeating: 0, count: result.count)
    var stride = 1
    for (offset, size) in shape.reversed().enumerated() {
      if size != 1 { strides[result.count - 1 - offset] = stride }
      stride *= size
    }
    self.strides = strides
  }

  /// The input's index for each of the result's, in order.
  func visit(_ body: (_ result: Int, _ input: Int) -> Void) {
    var place = [Int](repeating: 0, count: sizes.count)
    var input = 0
    for index in 0..<sizes.reduce(1, *) {
      body(index, input)
      for dimension in sizes.indices.reversed() {
        place[dimension] += 1
        input += strides[dimension]
        if place[dimension] < sizes[dimension] { break }
        input -= strides[dimension] * sizes[dimension]
        place[dimension] = 0
      }
    }
  }

  static func shape(_ shapes: [[Int]]) -> [Int] {
    let rank = shapes.map(\.count).max() ?? 0
    return (0..<rank).map { dimension in
      shapes.reduce(1) { size, shape in
        let index = dimension - rank + shape.count
        let other = index >= 0 ? shape[index] : 1
        precondition(
          size == other || size == 1 || other == 1 || size == -1 || other == -1,
          "shapes cannot be broadcast: \(shapes)")
        return size == 1 ? other : (other == 1 ? size : max(size, other))
      }
    }
  }
}
