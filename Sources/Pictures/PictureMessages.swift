internal import Memory
import ModelIR

/// The messages of this module's errors.
extension NetconvError {
  static func noPicture(_ bytes: [UInt8]) -> NetconvError {
    let found =
      PictureSignature.name(of: bytes).map { "is \($0)" } ?? "is not a picture that netconv reads"
    return NetconvError(.badData, "\(found); write it as PNG, JPEG, PGM or PPM")
  }

  static func hugePicture(_ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "claims \(shape[1]) x \(shape[0]) pixels of \(shape[2]) values; netconv reads pictures of at most "
        + "\(PictureFile.mostValues / 1_000_000) million values")
  }
}

/// The magic bytes of unsupported picture formats.
private enum PictureSignature {
  private static let names: [(bytes: [UInt8], offset: Int, name: String)] = [
    (Array("GIF8".utf8), 0, "a GIF"),
    (Array("BM".utf8), 0, "a Windows bitmap"),
    ([0x49, 0x49, 0x2A, 0], 0, "a TIFF"),
    ([0x4D, 0x4D, 0, 0x2A], 0, "a TIFF"),
    (Array("WEBP".utf8), 8, "a WebP"),
    (Array("ftypheic".utf8), 4, "a HEIC"),
    (Array("ftypavif".utf8), 4, "an AVIF"),
    (Array("P1".utf8), 0, "a Netpbm bitmap"),
    (Array("P4".utf8), 0, "a Netpbm bitmap"),
    (Array("P7".utf8), 0, "a PAM"),
    (Array("%PDF".utf8), 0, "a PDF"),
  ]

  static func name(of bytes: [UInt8]) -> String? {
    names.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }?.name
  }
}
