import Digests
import Documents
import Files
import ModelIR
import Operators
import Readers

extension ReadSource {
  /// Whether a program has made it: then there is no file that an error could be in.
  var isMade: Bool { files.isEmpty }
}

extension Manifest.Source {
  /// What the manifest says about a source: its files are hashed one after the other, and what the
  /// reader has left unchecked is checked on the way.
  ///
  /// A model that has no files is known by the hash of its content; of its weights, if only code knows some layer.
  /// - Throws: `inputOutput`, `interrupted`, or `badData` if a checksum is not what the source says.
  init(_ source: ReadSource, _ observer: Observer) throws(NetconvError) {
    if source.isMade {
      let model = try source.model
      let hasClosures = model.layers.contains { $0.operation is any ClosureOperator }
      self.init(
        format: source.format, file: Directory.lastComponent(of: source.path),
        bytes: source.network.tensors.reduce(0) {
          $0 + $1.count * $1.stored.source.elementType.byteCount
        }, sha256: try hasClosures ? model.weightsHash() : Netconv.contentHash(of: model),
        framework: source.framework)
      return
    }
    var hash = SHA256()
    var bytes = 0
    for file in source.files {
      bytes += file.size
      var checks = RunningChecks(source.unchecked.filter { $0.file === file })
      var position = 0
      try file.forEachChunk(in: 0..<file.size, of: 1 << 18) { chunk throws(NetconvError) in
        try observer.checkCancellation()
        hash.update(chunk)
        try checks.update(chunk, at: position)
        position += chunk.count
      }
      try checks.finish()
    }
    self.init(
      format: source.format, file: Directory.lastComponent(of: source.path), bytes: bytes,
      sha256: hexadecimal(hash.finalize()), framework: source.framework,
      notes: source.notes.isEmpty ? nil : source.notes.map(\.line))
  }
}
