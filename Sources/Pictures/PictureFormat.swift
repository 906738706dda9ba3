internal import CPictures

/// The file formats of pictures.
public enum PictureFormat: String, Sendable, CaseIterable {
  /// Portable Network Graphics.
  case png = "PNG"
  /// JPEG in JFIF or EXIF.
  case jpeg = "JPEG"
  /// A portable graymap (PGM).
  case graymap = "PGM"
  /// A portable pixmap (PPM).
  case pixmap = "PPM"

  /// Detects the format from the first bytes of a file; 16 are enough.
  public init?(_ bytes: [UInt8]) {
    if netconv_is_png(bytes, bytes.count) != 0 {
      self = .png
    } else if netconv_is_jpeg(bytes, bytes.count) != 0 {
      self = .jpeg
    } else if let kind = PortableMapHeader.Kind(bytes) {
      self = kind.isColored ? .pixmap : .graymap
    } else {
      return nil
    }
  }

  /// The library that decodes the format; `nil` for netconv's own decoder.
  var library: String? {
    switch self {
    case .png: "libpng"
    case .jpeg: "libjpeg"
    case .graymap, .pixmap: nil
    }
  }

  /// The extensions of picture files, in lower case.
  public static let endings = ["png", "jpg", "jpeg", "pgm", "ppm", "pnm"]
}
