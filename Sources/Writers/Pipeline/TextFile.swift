import Files
import ModelIR

/// A text file that is written piece by piece.
struct TextFile {
  private let file: OutputFile
  private var pending: [UInt8] = []
  private var offset = 0

  init(_ file: OutputFile) {
    self.file = file
  }

  mutating func write(_ text: String) throws(NetconvError) {
    pending += Array(text.plain.utf8)
    if pending.count >= 1 << 18 { try finish() }
  }

  mutating func finish() throws(NetconvError) {
    try file.write(pending, at: offset)
    offset += pending.count
    pending.removeAll(keepingCapacity: true)
  }
}
