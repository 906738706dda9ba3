internal import CPictures
import ModelIR

/// A PNG or JPEG in memory, which libpng or libjpeg decodes.
struct CompressedPicture {
  private let bytes: [UInt8]
  private let format: PictureFormat
  private let header: netconv_picture_header
  /// The first bytes of the colour profile.
  private let profile: [UInt8]

  /// Reads the header.
  ///
  /// - Throws: `badData`.
  init(_ bytes: [UInt8], _ format: PictureFormat) throws(NetconvError) {
    self.bytes = bytes
    self.format = format
    var header = netconv_picture_header()
    var profile = [UInt8](repeating: 0, count: Int(NETCONV_PROFILE_ROOM))
    var error = netconv_picture_error()
    let read = format == .png ? netconv_png_header : netconv_jpeg_header
    guard read(bytes, bytes.count, &header, &profile, &error) == 0 else {
      throw .damagedPicture(format, error.message)
    }
    self.header = header
    self.profile = Array(profile.prefix(header.profile_size))
  }

  /// Decodes the samples.
  ///
  /// - Throws: `badData`, also if the number of pixels is implausible, which is checked before
  ///   memory is allocated.
  func stored() throws(NetconvError) -> StoredPicture {
    let stated = PictureHeader(
      height: Int(header.height), width: Int(header.width), channels: Int(header.channels),
      sampleBytes: Int(header.sample_bytes), orientation: orientation,
      ignoredProfile: ignoredProfile)
    let size = try stated.checkedByteCount(stored: bytes.count)
    return StoredPicture(header: stated, samples: try samples(size))
  }

  private func samples(_ size: Int) throws(NetconvError) -> [UInt8] {
    var error = netconv_picture_error()
    var status: Int32 = 0
    let samples = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      withUnsafePointer(to: header) { header in
        status =
          format == .png
          ? netconv_png_samples(bytes, bytes.count, header, buffer.baseAddress, &error)
          : netconv_jpeg_samples(bytes, bytes.count, header, buffer.baseAddress, &error)
      }
      count = status == 0 ? size : 0
    }
    guard status == 0 else { throw .damagedPicture(format, error.message) }
    return samples
  }

  private var orientation: PictureOrientation {
    let range = header.exif_offset..<(header.exif_offset + header.exif_size)
    return PictureOrientation(exif: bytes[range]) ?? .upright
  }

  private var ignoredProfile: PictureFile.IgnoredProfile? {
    if header.profile_size > 0 {
      let name = ColorProfile.name(profile)
      return name?.hasPrefix("sRGB") ?? false ? nil : .profile(name)
    }
    // Encoders of sRGB write a gamma of 1/2.2.
    let isUsual = header.gamma == 0 || (45_000...46_000).contains(header.gamma)
    return isUsual ? nil : .gamma(Double(header.gamma) / 100_000)
  }
}

extension netconv_picture_error {
  /// The library's message.
  fileprivate var message: String {
    withUnsafeBytes(of: text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

extension NetconvError {
  fileprivate static func damagedPicture(_ format: PictureFormat, _ reason: String) -> NetconvError
  {
    NetconvError(
      .badData,
      "cannot be read as \(format.rawValue): \(reason); save the picture again, in gray or RGB")
  }
}
