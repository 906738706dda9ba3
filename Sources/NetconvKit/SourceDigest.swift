import Digests
import Documents
import Files
import ModelIR
import Operators
import Readers

extension ReadSource {
  /// True if a program built the model, so that there is no file for errors to name.
  var isMade: Bool { files.isEmpty }
}

extension Manifest.Source {
  /// Creates the manifest's record of a source.
  ///
  /// Its files are hashed one after the other, and checksums that the reader did not verify are verified in the same
  /// pass.
  ///
  /// A model without files is identified by the hash of its content, or of its weights if a layer is defined only in
  /// code.
  /// - Throws: `inputOutput`, `interrupted`, or `badData` if a checksum does not match.
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
