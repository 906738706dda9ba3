import Crypto
import ModelIR
import Readers

extension ConvertedSource {
  /// Compares every stored tensor with the manifest's SHA-256, in every format that is there.
  ///
  /// - Returns: how many were compared.
  /// - Throws: `badData` naming the first tensor that was changed.
  func checkIntegrity(_ observer: Observer) throws(NetconvError) -> Int {
    for copy in tensors + others {
      do {
        try copy.checkIntegrity(observer)
      } catch {
        throw error.inTensor(copy.record.role).inLayer(copy.record.layer).inFile(copy.file.path)
      }
    }
    return tensors.count + others.count
  }
}

extension ConvertedSource.Copy {
  fileprivate func checkIntegrity(_ observer: Observer) throws(NetconvError) {
    var hash = SHA256()
    try file.forEachChunk(in: range, of: 1 << 20) { chunk throws(NetconvError) in
      try observer.checkCancellation()
      hash.update(bufferPointer: chunk)
    }
    let digest = hexadecimal(hash.finalize())
    guard digest == record.sha256 else { throw .wrongHash(digest, expected: record.sha256) }
  }
}
