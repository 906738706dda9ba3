internal import CPictures
import ImageFilters
internal import Memory
import ModelIR

/// A PNG or a JPEG in memory, which libpng and libjpeg decode.
struct CompressedPicture {
  private let bytes: [UInt8]
  private let format: PictureFormat
  private let header: netconv_picture_header

  /// What a picture of any file may take, in bytes: a blank one of 38 megapixels in grey, or 13 in colour.
  private static let unquestioned = 192 << 20

  /// Reads what comes before the samples.
  ///
  /// - Throws: `badData`.
  init(_ bytes: [UInt8], isPNG: Bool) throws(NetconvError) {
    self.bytes = bytes
    format = isPNG ? .png : .jpeg
    var header = netconv_picture_header()
    var error = netconv_picture_error()
    let status =
      isPNG
      ? netconv_png_header(bytes, bytes.count, &header, &error)
      : netconv_jpeg_header(bytes, bytes.count, &header, &error)
    guard status == 0 else { throw .damagedPicture(format, error.message) }
    self.header = header
  }

  /// The picture, its values from 0 to 255.
  ///
  /// - Throws: `badData`.
  func decoded() throws(NetconvError) -> DecodedPicture {
    let shape = [Int(header.height), Int(header.width), Int(header.channels)]
    let count = try product(shape)
    guard count <= PictureFile.mostValues else { throw .hugePicture(shape) }
    // The samples, and as many floats.
    let claim = Claim(count * (4 + Int(header.sample_bytes)), stored: bytes.count)
    guard claim.isPlausible(unquestioned: Self.unquestioned) else {
      throw .emptyPicture(shape, claim)
    }
    try MemoryBound.check(file: claim.bytes)
    let values =
      header.sample_bytes == 2
      ? try samples(shape, of: UInt16.self).map { Float($0) / 257 }
      : try samples(shape, of: UInt8.self).map { Float($0) }
    return DecodedPicture(
      picture: Picture(
        height: shape[0], width: shape[1], channels: shape[2], hasAlpha: shape[2] % 2 == 0,
        values: values),
      bits: 8 * Int(header.sample_bytes), orientation: orientation, ignoredProfile: ignoredProfile)
  }

  private func samples<Sample: FixedWidthInteger>(
    _ shape: [Int], of type: Sample.Type
  ) throws(NetconvError) -> [Sample] {
    let size = try product(shape)
    var error = netconv_picture_error()
    var status: Int32 = 0
    let samples = [Sample](unsafeUninitializedCapacity: size) { buffer, count in
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
      let stored = withUnsafeBytes(of: header.profile) { Array($0.prefix(header.profile_size)) }
      let name = ColorProfile.name(stored)
      return name?.hasPrefix("sRGB") ?? false ? nil : .profile(name)
    }
    // What encoders of sRGB write is 1/2.2.
    let isUsual = header.gamma == 0 || (45_000...46_000).contains(header.gamma)
    return isUsual ? nil : .gamma(Double(header.gamma) / 100_000)
  }
}

extension netconv_picture_error {
  /// What the library says.
  fileprivate var message: String {
    withUnsafeBytes(of: text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
