import ImageFilters

/// A PNG or JPEG as it is stored, with integer samples and not yet in upright orientation.
struct StoredPicture: Equatable {
  let header: PictureHeader
  /// The samples, with the size of the header; 16-bit samples are in native byte order.
  let samples: [UInt8]

  /// The picture with values from 0 to 255.
  var decoded: DecodedPicture {
    let values = samples.withUnsafeBytes { bytes in
      header.sampleBytes == 2
        ? bytes.bindMemory(to: UInt16.self).map { Float($0) / 257 } : bytes.map { Float($0) }
    }
    return DecodedPicture(
      picture: Picture(
        height: header.height, width: header.width, channels: header.channels,
        hasAlpha: header.channels % 2 == 0, values: values),
      bits: 8 * header.sampleBytes, orientation: header.orientation,
      ignoredProfile: header.ignoredProfile)
  }
}
