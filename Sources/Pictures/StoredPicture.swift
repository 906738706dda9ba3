import ImageFilters

/// A PNG or a JPEG as it is stored: not turned yet, its samples whole numbers.
struct StoredPicture: Equatable {
  let header: PictureHeader
  /// As many bytes as the header says; samples of two in the order of this machine.
  let samples: [UInt8]

  /// The picture, its values from 0 to 255.
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
