import Datasets
import ModelIR

/// IDX files.
enum IDXTarget: FuzzTarget {
  static let name = "idx"

  static func parse(_ bytes: [UInt8]) throws {
    let array = try IDX(bytes)
    try hold(try IDX.extent(bytes)?.size == bytes.count, "the beginning says another length")
    let sizes = array.shape.flatMap { size in
      withUnsafeBytes(of: UInt32(size).bigEndian) { Array($0) }
    }
    try hold(
      [0, 0, 8, UInt8(array.shape.count)] + sizes + array.values == bytes,
      "sizes and values are not the file's")
  }
}
