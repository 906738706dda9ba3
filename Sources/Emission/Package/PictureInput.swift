import ModelIR

/// How pictures come into a network that takes them.
public struct PictureInput: Sendable {
  /// What is done to a picture that fits, but for the order of axes.
  let steps: [PixelStep]
  /// What that is, and why, for a comment.
  let remark: String
  let height: Int
  let width: Int
  /// Values of a pixel, 1 or 3.
  let channels: Int
  /// Whether all values of a channel lie together.
  let isPlanar: Bool

  /// The way into `input`.
  ///
  /// - Parameters:
  ///   - hasChannelsFirst: whether the source has the input with channels first.
  ///   - steps: what is done to the values of pictures.
  ///   - remark: what that is, and why.
  /// - Returns: `nil` if the input is no image of known size with one value or three in a pixel.
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
  /// `28 x 28 pixels of 1 value`.
  var words: String {
    "\(width) x \(height) pixels of \(channels) \(channels == 1 ? "value" : "values")"
  }

  /// The kernels that its steps need, besides those that fit a picture.
  var pieces: Set<MetalPiece> {
    var pieces = steps.reduce(into: Set<MetalPiece>()) { $0.formUnion($1.pieces) }
    // Colours become gray.
    if channels == 1 { pieces.insert(.recolor) }
    return pieces.union([.feeding])
  }
}

extension PixelStep {
  /// The kernels that not every way of a picture has.
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
