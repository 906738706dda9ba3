import ModelIR
import ProtocolBuffers

/// A box in a tensor: what one part of a partitioned variable holds.
///
/// Source: tensorflow/core/framework/tensor_slice.proto, tensor_slice.cc.
struct TensorSlice: Sendable, Hashable {
  /// Along an axis.
  struct Extent: Sendable, Hashable {
    let start: Int
    /// `nil` for all of the axis.
    let length: Int?
  }

  let extents: [Extent]

  /// Axes that are believed.
  static let rankLimit = 254
  /// Slices of one variable that are believed.
  static let countLimit = 1 << 12
  /// Slices of all variables together, besides the first of each.
  static let totalLimit = 1 << 16

  private enum Field {
    static let extent = 1
    static let start = 1
    static let length = 2
  }

  /// Reads a TensorSliceProto.
  ///
  /// - Throws: `badData` if it is none.
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
      // TensorFlow also writes all of an axis as −1.
      extents.append(Extent(start: start, length: length == -1 ? nil : length))
    }
    self.extents = extents
  }

  /// Where the box lies in a tensor of `shape`.
  ///
  /// - Throws: `badData` if it does not lie in it.
  func box(in shape: [Int]) throws(NetconvError) -> [Range<Int>] {
    // A slice without extents is all of a tensor of any rank.
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
  /// `0,3:-`, as TensorFlow writes it.
  var description: String {
    extents.map { extent in
      extent.length.map { "\(extent.start),\($0)" } ?? "-"
    }.joined(separator: ":")
  }
}

extension TensorSlice {
  /// The key of the slice of a variable in a checkpoint's table: it sorts before all names.
  ///
  /// Source: tensorflow/core/util/saved_tensor_slice_util.cc, `EncodeTensorNameSlice`.
  func key(of name: String) -> [UInt8] {
    // 0, the name, the number of axes, then start and length of each.
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

  /// The name in a key of a slice; `nil` if it is none.
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

  /// A number as bytes that sort as numbers do: as many ones as there are bytes, then the number, highest bit first; all
  /// turned around for a negative one.
  ///
  /// Source: tensorflow/core/lib/strings/ordered_code.cc, `WriteSignedNumIncreasing`.
  private static func ordered(_ number: Int) -> [UInt8] {
    let magnitude = number < 0 ? ~number : number
    // Seven bits of each byte, of which one is the sign's.
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
