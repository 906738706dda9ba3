import Datasets
import Foundation
import ModelIR
import TestSupport
import Zlib

/// The bytes of a file below `Tests/Fixtures/numpy`.
func fixture(_ name: String) throws -> [UInt8] {
  Array(try Data(contentsOf: URL(filePath: Fixtures.path("numpy/\(name)"))))
}

/// The bytes of an IDX file.
func idx(_ sizes: [UInt32], _ values: [UInt8], type: UInt8 = 8) -> [UInt8] {
  [0, 0, type, UInt8(sizes.count)]
    + sizes.flatMap { size in withUnsafeBytes(of: size.bigEndian) { Array($0) } } + values
}

/// `bytes` as a gzip stream of stored blocks.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
  var stream: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]
  var rest = bytes[...]
  repeat {
    let block = rest.prefix(0xffff)
    rest = rest.dropFirst(block.count)
    let size = UInt16(block.count)
    stream.append(rest.isEmpty ? 1 : 0)
    for half in [size, ~size] { stream += [UInt8(half & 0xff), UInt8(half >> 8)] }
    stream += block
  } while !rest.isEmpty
  var checksum = CRC32()
  bytes.withUnsafeBytes { checksum.update($0) }
  for word in [checksum.value, UInt32(truncatingIfNeeded: bytes.count)] {
    withUnsafeBytes(of: word.littleEndian) { stream += $0 }
  }
  return stream
}

/// The bytes of an `.npy` file with a header of any text.
func npy(_ header: String, _ data: [UInt8], version: UInt8 = 1) -> [UInt8] {
  let length = header.utf8.count
  let size = (0..<(version == 1 ? 2 : 4)).map { UInt8(length >> (8 * $0) & 0xff) }
  return [0x93] + Array("NUMPY".utf8) + [version, 0] + size + Array(header.utf8) + data
}
