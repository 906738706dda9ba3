import ModelIR

/// The preparation of pictures for a network that accepts them.
public struct PictureInput: Sendable {
  /// The preprocessing of a picture that has the input's size, without the order of axes.
  let steps: [PixelStep]
  /// A description of the steps and their reason, for a comment.
  let remark: String
  let height: Int
  let width: Int
  /// The number of values per pixel, 1 or 3.
  let channels: Int
  /// True if the input is channels first.
  let isPlanar: Bool

  /// Creates the preparation of pictures for `input`.
  ///
  /// - Parameters:
  ///   - hasChannelsFirst: True if the source's input is channels first.
  ///   - steps: The preprocessing of the pixel values.
  ///   - remark: A description of the steps and their reason.
  /// - Returns: `nil` if the input is not an image of known size with one or three channels.
  public init?(
    into input: ModelInput, hasChannelsFirst: Bool, _ steps: [PixelStep], remark: String
  ) {
    guard let sizes = input.shape.known, sizes.count == 3 else { return nil }
    var isPlanar = hasChannelsFirst
    for case .axes(let order) in steps { isPlanar = order == .channelsFirst }
    (channels, height, width) =
      isPlanar ? (sizes[0], sizes[1], sizes[2]) : (sizes[2], sizes[0], sizes[1])
    guard [1, 3].contains(channels), height > 0, width > 0 else { return nil }
    self.isPlanar = isPlanar
    self.steps = steps.filter { if case .axes = $0 { false } else { true } }
    self.remark = remark
  }
}

extension PictureInput {
  /// A description such as `28 x 28 pixels of 1 value`.
  var words: String {
    "\(width) x \(height) pixels of \(channels) \(channels == 1 ? "value" : "values")"
  }

  /// The kernels that the steps need, besides those that resize a picture.
  var pieces: Set<MetalPiece> {
    var pieces = steps.reduce(into: Set<MetalPiece>()) { $0.formUnion($1.pieces) }
    // Conversion to gray.
    if channels == 1 { pieces.insert(.recolor) }
    return pieces.union([.feeding])
  }
}

extension PixelStep {
  /// The optional kernels that the step needs.
  fileprivate var pieces: Set<MetalPiece> {
    switch self {
    case .scale, .offset, .mean, .deviation, .invert, .channels, .saturation, .gray, .color:
      [.recolor]
    case .opaque: [.flatten]
    case .encoding: [.transferCurve]
    case .boxBlur, .blur: [.blur]
    case .region(_, let step): step.pieces.union([.restore])
    case .transpose, .crop, .pad, .turn, .resize, .fit, .fill, .axes: []
    }
  }
}
