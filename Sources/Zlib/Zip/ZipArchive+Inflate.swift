import Files
internal import Memory
import ModelIR

extension ZipArchive {
  /// Inflates a deflated entry into a file piece by piece, and verifies its checksum.
  ///
  /// - Throws: `badData` if the entry is damaged, its size is wrong or implausible; `inputOutput` if the disk is
  ///   full.
  public func inflate(_ entry: Entry, into output: OutputFile) throws(NetconvError) {
    do throws(NetconvError) {
      let claim = Claim(entry.size, stored: entry.storedSize)
      guard claim.isPlausible(unquestioned: Claim.streamed) else {
        throw NetconvError.implausibleClaim(claim, of: entry.name)
      }
      try output.checkRoom(for: entry.size)
      var checksum = CRC32()
      var position = 0
      try forEachInflatedPiece(of: file, in: entry.dataRange, .deflate, limit: entry.size) {
        bytes throws(NetconvError) in
        checksum.update(bytes)
        try output.write(bytes, at: position)
        position += bytes.count
      }
      guard position == entry.size, checksum.value == entry.checksum else {
        throw .wrongChecksum(entry.name)
      }
    } catch {
      throw error.inFile(file.path)
    }
  }
}
