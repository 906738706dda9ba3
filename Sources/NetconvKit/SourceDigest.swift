import Digests
import Documents
import Files
import ModelIR
import Readers

extension Manifest.Source {
  /// What the manifest says about a source: its files are hashed one after the other, and what the
  /// reader has left unchecked is checked on the way.
  ///
  /// - Throws: `inputOutput`, `interrupted`, or `badData` if a checksum is not what the source says.
  init(_ source: ReadSource, _ observer: Observer) throws(NetconvError) {
    var hash = SHA256()
    var bytes = 0
    for file in source.files {
      bytes += file.size
      var parts = source.unchecked.filter { $0.file === file }.map(RunningCheck.init)
      var position = 0
      try file.forEachChunk(in: 0..<file.size, of: 1 << 18) { chunk throws(NetconvError) in
        try observer.checkCancellation()
        hash.update(chunk)
        for index in parts.indices { parts[index].update(chunk, at: position) }
        position += chunk.count
      }
      for part in parts { try part.finish() }
    }
    self.init(
      format: source.format, file: Directory.lastComponent(of: source.path), bytes: bytes,
      sha256: hexadecimal(hash.finalize()), framework: source.framework,
      notes: source.notes.isEmpty ? nil : source.notes.map(\.line))
  }
}
