import Files
public import ImageFilters
public import ModelIR

/// A picture as a file holds it, decoded.
///
/// Sources: ISO/IEC 15948 (PNG), ITU-T T.81 and T.871 (JPEG), the manual pages of Netpbm (PGM and PPM), CIPA DC-008 (EXIF).
public struct PictureFile: Sendable, Equatable {
  /// What the file is.
  public let format: PictureFormat
  /// Bits of a sample.
  public let bits: Int
  /// How the picture was turned, as its EXIF data asks for.
  public let orientation: PictureOrientation
  /// What the file says of its colours, and what is ignored; `nil` if it says nothing, or sRGB.
  public let ignoredProfile: IgnoredProfile?
  /// The pixels, upright.
  public let picture: Picture

  /// What a file says of its colours, which are taken for sRGB all the same.
  public enum IgnoredProfile: Sendable, Equatable {
    /// An embedded profile, by its own name, which it may lack.
    case profile(String?)
    /// The exponent of the samples: 1 for values that are linear in light.
    case gamma(Double)
  }

  /// Bytes of a file, at most.
  static let largestFile = 1 << 30
  /// Values of a picture, at most: 66 megapixels of colour, for which decoding takes less than 2 GB.
  static let mostValues = 200_000_000

  /// Reads the picture in a file.
  ///
  /// - Throws: `cannotOpen` or `inputOutput`; `badData` if it holds none, is damaged, or has more pixels than make sense.
  public init(path: String) throws(NetconvError) {
    try self.init(path: path, through: Self.connection)
  }

  /// The same, decoded by the process that `connection` leads to, or by this one.
  package init(path: String, through connection: PictureConnection?) throws(NetconvError) {
    let file = try RandomAccessFile(path: path)
    do throws(NetconvError) {
      // What is no picture is not read to its end.
      let start = try file.prefix(16)
      guard let format = PictureFormat(start) else { throw .noPicture(start) }
      if let connection, format.library != nil {
        self.init(format, try connection.decode(file, format).decoded)
      } else {
        try self.init(file.contents(limit: Self.largestFile))
      }
    } catch {
      throw error.inFile(path)
    }
  }

  /// Decodes the picture that a file consists of, in this process.
  ///
  /// - Throws: as ``init(path:)``.
  package init(_ bytes: [UInt8]) throws(NetconvError) {
    guard let format = PictureFormat(bytes) else { throw .noPicture(bytes) }
    let decoded =
      switch format {
      case .png, .jpeg: try CompressedPicture(bytes, format).stored().decoded
      case .graymap, .pixmap: try PortableMapHeader.picture(bytes)
      }
    self.init(format, decoded)
  }

  private init(_ format: PictureFormat, _ decoded: DecodedPicture) {
    self.format = format
    bits = decoded.bits
    orientation = decoded.orientation
    ignoredProfile = decoded.ignoredProfile
    picture = decoded.orientation.upright(decoded.picture)
  }
}

/// What a decoder makes of a file.
struct DecodedPicture {
  let picture: Picture
  let bits: Int
  var orientation = PictureOrientation.upright
  var ignoredProfile: PictureFile.IgnoredProfile?
}
