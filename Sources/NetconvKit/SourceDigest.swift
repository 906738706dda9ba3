import Crypto
import Documents
import Files
import ModelIR
import Readers

extension Manifest.Source {
  /// What the manifest says about a source: its files are hashed one after the other.
  ///
  /// - Throws: `inputOutput`, or `interrupted`.
  init(_ source: ReadModel, _ observer: Observer) throws(NetconvError) {
    var hash = SHA256()
    var bytes = 0
    for file in source.files {
      bytes += file.size
      try file.forEachChunk(in: 0..<file.size, of: 1 << 20) { chunk throws(NetconvError) in
        try observer.checkCancellation()
        hash.update(bufferPointer: chunk)
      }
    }
    self.init(
      format: source.format, file: Directory.lastComponent(of: source.path), bytes: bytes,
      sha256: hexadecimal(hash.finalize()), framework: source.framework)
  }
}

/// Bytes as lower-case hexadecimal digits.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}
