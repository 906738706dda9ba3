import Documents
import Files
import ModelIR

/// An array in a weights manifest.
struct TFJSWeight {
  let name: String
  let shape: [Int]
  private let count: Int
  /// The stored element type.
  let elementType: ElementType
  /// The factor and the offset that convert integers to float32, if the array is quantised.
  private let scale: (factor: Double, offset: Double)?

  /// The number of bytes.
  let byteCount: Int

  /// Source: tensorflow/tfjs, tfjs-core/src/io/io_utils.ts, `decodeWeight`.
  init(_ value: JSONValue, place: String) throws(NetconvError) {
    guard let name = value["name"]?.string, let sizes = value["shape"]?.array else {
      throw .wrongTFJSManifest(place)
    }
    self.name = name
    do throws(NetconvError) {
      shape = try sizes.map { size throws(NetconvError) in
        guard let size = size.int, size >= 0 else { throw .wrongTFJSShape }
        return size
      }
      count = try product(shape)
      let dtype = value["dtype"]?.string ?? ""
      guard let quantization = value["quantization"] else {
        guard let type = ["float32": ElementType.float32, "int32": .int32][dtype] else {
          throw .wrongTFJSType(dtype)
        }
        (elementType, scale) = (type, nil)
        byteCount = try product([count, type.byteCount])
        return
      }
      let stored = quantization["dtype"]?.string ?? ""
      let types: [String: ElementType] = ["float16": .float16, "uint8": .uint8, "uint16": .uint16]
      guard dtype == "float32", let type = types[stored] else {
        throw .wrongTFJSType(dtype == "float32" ? stored : dtype)
      }
      elementType = type
      byteCount = try product([count, type.byteCount])
      guard type != .float16 else {
        scale = nil
        return
      }
      guard let factor = quantization["scale"]?.double, let offset = quantization["min"]?.double,
        factor.isFinite, offset.isFinite
      else { throw .wrongTFJSQuantization }
      scale = (factor, offset)
    } catch {
      throw error.inTensor(name)
    }
  }

  func stored(
    in file: RandomAccessFile?, at offset: Int
  ) throws(NetconvError) -> StoredTensor {
    let source: any TensorSource
    if let file, count > 0 {
      let values = FileTensorSource(
        file: file, offset: offset, elementType: elementType, count: count)
      source =
        scale.map { ScaledIntegers(integers: values, scale: $0.factor, offset: $0.offset) }
        ?? values
    } else {
      source = ByteSource(bytes: [], elementType: elementType, count: count)
    }
    return StoredTensor(source: source, layout: nil, shape: shape, path: name)
  }
}

/// Integers that are converted to float32 by a factor and an offset, in Double and rounded once.
private struct ScaledIntegers: TensorSource {
  let integers: FileTensorSource
  let scale: Double
  let offset: Double
  var elementType: ElementType { .float32 }
  var count: Int { integers.count }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try integers.read(range, into: values)
    for index in values.indices { values[index] = Float(Double(values[index]) * scale + offset) }
  }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    try integers.read(range, into: values)
    for index in values.indices { values[index] = Double(Float(values[index] * scale + offset)) }
  }

  func overflows(in range: Range<Int>) -> Overflow { Overflow() }
}

extension NetconvError {
  fileprivate static func wrongTFJSType(_ type: String) -> NetconvError {
    NetconvError(
      .badData,
      "values are stored as \(quoted(type)), expected float32, int32, float16, uint8 or uint16; write "
        + "it without quantization")
  }

  fileprivate static var wrongTFJSQuantization: NetconvError {
    NetconvError(
      .badData, "'quantization' has no finite 'scale' and 'min'; write the model again")
  }
}
