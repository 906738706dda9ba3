/// The image, padded with zeros.
///
/// Source: Apple, MPSNNReshape.h, `MPSNNPad`: rows and columns follow from the offset and the size
/// of the result, channels from the padding sizes.
struct PadKernel: MPSCNNKernel {
  /// The padding: columns at the left, rows at the top.
  var corner = MPSCNNStep.Corner(left: 0, top: 0)
  /// The number of zero channels before the image's.
  var before = 0
  /// The number of zero channels after the image's.
  var after = 0

  func type(in name: PackageName) -> String { "MPSNNPad" }

  func arguments(layer: String, in name: PackageName) -> [String?] {
    func size(_ channels: Int) -> String { "MPSImageCoordinate(x: 0, y: 0, channel: \(channels))" }
    let hasChannels = before > 0 || after > 0
    return [
      "device: device", hasChannels ? "paddingSizeBefore: \(size(before))" : nil,
      hasChannels ? "paddingSizeAfter: \(size(after))" : nil,
    ]
  }

  func settings(_ property: String) -> [String] {
    guard before == 0, after == 0 else { return [] }
    return [
      "\(property).offset = MPSOffset(x: \(-corner.left), y: \(-corner.top), z: 0)",
      "\(property).edgeMode = .zero",
    ]
  }
}
