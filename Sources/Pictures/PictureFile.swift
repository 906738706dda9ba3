import Files
public import ImageFilters
public import ModelIR

/// The decoded picture of a file.
///
/// Sources: ISO/IEC 15948 (PNG), ITU-T T.81 and T.871 (JPEG), the manual pages of Netpbm (PGM and PPM), CIPA DC-008 (EXIF).
public struct PictureFile: Sendable, Equatable {
  /// The format of the file.
  public let format: PictureFormat
  /// The bits per sample.
  public let bits: Int
  /// The orientation according to the EXIF data, which was applied.
  public let orientation: PictureOrientation
  /// The colour information of the file, which is ignored; `nil` if there is none, or if it is
  /// sRGB.
  public let ignoredProfile: IgnoredProfile?
  /// The pixels, upright.
  public let picture: Picture

  /// Colour information that is ignored: colours are treated as sRGB.
  public enum IgnoredProfile: Sendable, Equatable {
    /// An embedded profile, with its name if it has one.
    case profile(String?)
    /// The exponent of the samples; 1 for linear values.
    case gamma(Double)
  }

  /// The largest file in bytes.
  static let largestFile = 1 << 30
  /// The largest number of values: 66 megapixels in colour, which need less than 2 GB for decoding.
  static let mostValues = 200_000_000

  /// Reads the picture in a file.
  ///
  /// - Throws: `cannotOpen` or `inputOutput`; `badData` if the file is not a picture, is damaged,
  ///   or has an implausible number of pixels.
  public init(path: String) throws(NetconvError) {
    try self.init(path: path, through: Self.connection)
  }

  /// Reads the picture in a file, decoded by the process of `connection` or by this one.
  package init(path: String, through connection: PictureConnection?) throws(NetconvError) {
    let file = try RandomAccessFile(path: path)
    do throws(NetconvError) {
      // A file that is not a picture is not read completely.
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

  /// Decodes the bytes of a picture file in this process.
  ///
  /// - Throws: Any error that ``init(path:)`` throws.
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

/// The result of decoding a file.
struct DecodedPicture {
  let picture: Picture
  let bits: Int
  var orientation = PictureOrientation.upright
  var ignoredProfile: PictureFile.IgnoredProfile?
}
