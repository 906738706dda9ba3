import ModelIR
import ProtocolBuffers

/// The box of a tensor that one part of a partitioned variable contains.
///
/// Source: tensorflow/core/framework/tensor_slice.proto, tensor_slice.cc.
struct TensorSlice: Sendable, Hashable {
  /// The extent along an axis.
  struct Extent: Sendable, Hashable {
    let start: Int
    /// The length; `nil` for the whole axis.
    let length: Int?
  }

  let extents: [Extent]

  /// The maximum rank.
  static let rankLimit = 254
  /// The maximum number of slices per variable.
  static let countLimit = 1 << 12
  /// The maximum number of slices of all variables, not counting the first of each.
  static let totalLimit = 1 << 16

  private enum Field {
    static let extent = 1
    static let start = 1
    static let length = 2
  }

  /// Reads a TensorSliceProto.
  ///
  /// - Throws: `badData` if the message is invalid.
  init(_ message: WireMessage) throws(NetconvError) {
    var extents: [Extent] = []
    try message.forEachField { (field) throws(NetconvError) in
      guard field.number == Field.extent else { return }
      guard extents.count < Self.rankLimit else { throw .tooManySliceAxes(Self.rankLimit) }
      var (start, length): (Int, Int?) = (0, nil)
      try field.inner("TensorSliceProto.Extent").forEachField { (field) throws(NetconvError) in
        switch field.number {
        case Field.start: start = try field.integer()
        case Field.length: length = try field.integer()
        default: break
        }
      }
      // TensorFlow also encodes the whole axis as −1.
      extents.append(Extent(start: start, length: length == -1 ? nil : length))
    }
    self.extents = extents
  }

  /// Returns the index ranges of the box in a tensor of `shape`.
  ///
  /// - Throws: `badData` if the box is out of bounds.
  func box(in shape: [Int]) throws(NetconvError) -> [Range<Int>] {
    // A slice without extents covers a tensor of any rank.
    guard !extents.isEmpty else { return shape.map { 0..<$0 } }
    guard extents.count == shape.count else { throw .wrongSlice(self, shape) }
    var box: [Range<Int>] = []
    for (extent, size) in zip(extents, shape) {
      guard let length = extent.length else {
        box.append(0..<size)
        continue
      }
      guard extent.start >= 0, extent.start <= size, length >= 0, length <= size - extent.start
      else { throw .wrongSlice(self, shape) }
      box.append(extent.start..<extent.start + length)
    }
    return box
  }
}

extension TensorSlice: CustomStringConvertible {
  /// The slice in TensorFlow's notation: `0,3:-`.
  var description: String {
    extents.map { extent in
      extent.length.map { "\(extent.start),\($0)" } ?? "-"
    }.joined(separator: ":")
  }
}

extension TensorSlice {
  /// Returns the key of a variable's slice in a checkpoint table; it sorts before all names.
  ///
  /// Source: tensorflow/core/util/saved_tensor_slice_util.cc, `EncodeTensorNameSlice`.
  func key(of name: String) -> [UInt8] {
    // 0, the name, the rank, then start and length of each axis.
    var key: [UInt8] = [0]
    for byte in name.utf8 {
      switch byte {
      case 0: key += [0, 0xff]
      case 0xff: key += [0xff, 0]
      default: key.append(byte)
      }
    }
    key += [0, 1]
    key += extents.isEmpty ? [0] : [1, UInt8(extents.count)]
    for extent in extents {
      key += Self.ordered(extent.start) + Self.ordered(extent.length ?? -1)
    }
    return key
  }

  /// Returns the name in the key of a slice; `nil` if the key is not that of a slice.
  static func name(in key: [UInt8]) -> String? {
    guard key.first == 0, !key.dropFirst().isEmpty else { return nil }
    var name: [UInt8] = []
    var rest = key.dropFirst()
    while let byte = rest.popFirst(), let next = rest.first {
      switch (byte, next) {
      case (0, 1): return String(utf8: name)
      case (0, 0xff), (0xff, 0): rest.removeFirst()
      default: break
      }
      name.append(byte)
    }
    return nil
  }

  /// Encodes a number in bytes that sort numerically.
  ///
  /// The number of leading ones is the number of bytes; the number follows, highest bit first. Negative numbers are
  /// complemented.
  ///
  /// Source: tensorflow/core/lib/strings/ordered_code.cc, `WriteSignedNumIncreasing`.
  private static func ordered(_ number: Int) -> [UInt8] {
    let magnitude = number < 0 ? ~number : number
    // Seven bits per byte, including the sign bit.
    let bits = Int.bitWidth - magnitude.leadingZeroBitCount
    let count = bits / 7 + 1
    let sign: UInt8 = number < 0 ? 0xff : 0
    var bytes = [UInt8](repeating: sign, count: 2)
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
    bytes = Array(bytes.suffix(count))
    let ones: UInt16 = count >= 16 ? .max : ~(.max >> UInt16(count))
    bytes[0] ^= UInt8(ones >> 8)
    if count > 1 { bytes[1] ^= UInt8(ones & 0xff) }
    return bytes
  }
}
