import Documents
import ModelIR

/// The header of a safetensors file, followed by the remaining bytes as values.
enum SafetensorsTarget: FuzzTarget {
  static let name = "safetensors"

  static func parse(_ bytes: [UInt8]) throws {
    let length = try SafetensorsHeader.length(bytes, fileSize: bytes.count)
    let dataSize = bytes.count - 8 - length
    let json = Array(bytes[8..<8 + length])
    let header = try SafetensorsHeader(json, dataSize: dataSize)
    let again = try mustWork("reading what was written") { () throws(NetconvError) in
      let written = try header.bytes()
      let length = try SafetensorsHeader.length(written, fileSize: written.count + dataSize)
      return try SafetensorsHeader(Array(written[8..<8 + length]), dataSize: dataSize)
    }
    try hold(again == header, "what is written is read as another header")
    let placed = try mustWork("placing the tensors") { () throws(NetconvError) in
      try SafetensorsHeader(
        placing: header.tensors.map { ($0.name, $0.type, $0.shape) },
        metadata: header.metadata)
    }
    let left = header.holes.reduce(0) { $0 + $1.count }
    try hold(
      placed.tensors.map(\.range.count).reduce(left, +) == dataSize, "values are lost")
  }
}
