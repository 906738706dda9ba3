internal import Memory
import ModelIR

extension HDF5Index {
  /// Checks that the total size of the datasets is plausible for the file, and that their chunks can be decoded.
  ///
  /// A file of a few kilobytes can claim terabytes: unwritten datasets consist of the fill value, and chunks of zeros
  /// are compressed a thousandfold.
  /// - Parameter fileSize: The size of the file in bytes.
  /// - Throws: `badData` with the dataset, or the largest if there are several.
  func checkClaims(fileSize: Int) throws(NetconvError) {
    var total = 0
    var largest: (path: String, bytes: Int) = ("", 0)
    for case .dataset(let entry) in nodes.lazy.map(\.content) {
      guard let bytes = entry.claim(fileSize: fileSize) else { continue }
      do throws(NetconvError) {
        try entry.checkChunk(fileSize: fileSize)
      } catch {
        throw error.inTensor(entry.path)
      }
      total = bytes > Int.max - total ? .max : total + bytes
      if bytes > largest.bytes { largest = (entry.path, bytes) }
    }
    let claim = Claim(total, stored: fileSize)
    guard claim.isPlausible(unquestioned: Claim.streamed) else {
      throw NetconvError.hugeClaim(claim, largest: largest.bytes).inTensor(largest.path)
    }
  }
}

extension HDF5DatasetEntry {
  /// The chunk size that is accepted for any file, in bytes; libhdf5 decodes whole chunks, with two copies in memory.
  private static let unquestionedChunk = 32 << 20
  /// The maximum ratio of the chunk size to the file size.
  private static let chunkRatio = 16

  /// Returns the size of the values in this file in bytes; `nil` if netconv reads none of them.
  fileprivate func claim(fileSize: Int) -> Int? {
    if case .unsupported = type { return nil }
    let bytes = saturatingProduct(shape + [valueByteCount])
    switch storage {
    case .external, .virtual: return nil
    // Contiguous values beyond the end of the file are reported as truncated.
    case .contiguous: return bytes <= fileSize ? bytes : nil
    case .compact, .chunked, .neverAllocated: return bytes
    }
  }

  /// Checks that a chunk can be decoded.
  ///
  /// - Parameter fileSize: The size of the file in bytes.
  /// - Throws: `badData` if it cannot.
  fileprivate func checkChunk(fileSize: Int) throws(NetconvError) {
    guard case .chunked(let chunk) = storage else { return }
    let claim = Claim(saturatingProduct(chunk + [valueByteCount]), stored: fileSize)
    guard claim.isPlausible(unquestioned: Self.unquestionedChunk, ratio: Self.chunkRatio) else {
      throw .hugeChunk(chunk, claim)
    }
    if let limit = MemoryBound.exceeded(by: saturatingProduct([claim.bytes, 3])) {
      throw .chunkTooLarge(chunk, claim.bytes, limit)
    }
  }
}

/// Returns a product, or the largest integer on overflow.
private func saturatingProduct(_ factors: [Int]) -> Int {
  factors.reduce(1) { product, factor in
    let (next, overflow) = product.multipliedReportingOverflow(by: factor)
    return overflow ? .max : next
  }
}

extension NetconvError {
  fileprivate static func hugeClaim(_ claim: Claim, largest: Int) -> NetconvError {
    NetconvError(
      .badData,
      "claims \(byteText(largest)) of values, and with the file's other datasets \(byteText(claim.bytes)); the file has "
        + "\(byteText(claim.stored)), so nearly all of that was never written or is the same value; "
        + "write the weights again without it, unless the file is damaged")
  }

  fileprivate static func hugeChunk(_ chunk: [Int], _ claim: Claim) -> NetconvError {
    NetconvError(
      .badData,
      "is stored in chunks of shape \(Shape(chunk)), which take \(byteText(claim.bytes)) each once they are unpacked, in "
        + "a file of \(byteText(claim.stored)); write it again in smaller chunks, unless the file is damaged"
    )
  }

  fileprivate static func chunkTooLarge(
    _ chunk: [Int], _ bytes: Int, _ limit: MemoryLimit
  ) -> NetconvError {
    NetconvError(
      .badData,
      "is stored in chunks of shape \(Shape(chunk)), which take \(byteText(bytes)) each; unpacking one needs three "
        + "times as much, more than \(limit.words); write it again in smaller chunks")
  }
}
