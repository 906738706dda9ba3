import ImageFilters
import ModelIR

/// The preprocessing that fits pictures of any size and colours to an input.
///
/// Steps that are requested or recorded are applied unchanged. If the result does not fit, as few steps as possible
/// are inserted before them: removing alpha, converting colours to grey or grey to three channels, and filling the
/// size.
struct PictureFitting {
  /// The steps that are always applied.
  private let steps: [PixelStep]
  private let input: String
  private let form: Form

  /// The form that an input expects.
  private enum Form {
    /// An image; sizes are `nil` if any is accepted.
    case image(height: Int?, width: Int?, channels: Int?, order: PixelStep.AxisOrder, rank: Int)
    /// A number of values, row by row.
    case vector(Int)
  }

  /// Creates the fitting to `input`, whose values are preprocessed by `steps`.
  ///
  /// - Parameter hasChannelsFirst: true if the input has channels first in the source.
  /// - Throws: `usage` if the input does not accept images.
  init(
    into input: ModelInput, hasChannelsFirst: Bool, _ steps: [PixelStep]
  ) throws(NetconvError) {
    let sizes = input.shape.dimensions
    var order = hasChannelsFirst ? PixelStep.AxisOrder.channelsFirst : .channelsLast
    for case .axes(let wanted) in steps { order = wanted }
    switch (sizes.count, order) {
    case (3, .channelsFirst):
      form = .image(
        height: sizes[1], width: sizes[2], channels: sizes[0], order: order, rank: 3)
    case (3, .channelsLast):
      form = .image(
        height: sizes[0], width: sizes[1], channels: sizes[2], order: order, rank: 3)
    case (2, _):
      form = .image(
        height: sizes[0], width: sizes[1], channels: 1, order: .channelsLast, rank: 2)
    case (1, _):
      guard let count = sizes[0] else { throw .takesNoPictures(input) }
      form = .vector(count)
    default: throw .takesNoPictures(input)
    }
    self.input = input.name
    self.steps = steps.filter { if case .axes = $0 { false } else { true } }
  }

  /// Returns the steps for a picture.
  ///
  /// - Throws: `usage` if no steps make it fit, `badData` if a step itself is invalid.
  func steps(for picture: PictureForm) throws(NetconvError) -> [PixelStep] {
    var failure: NetconvError?
    for first in insertions {
      do throws(NetconvError) {
        let all = first + steps
        var form = picture
        for step in all { form = try form.after(step) }
        if fits(form) { return all }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure, failure.kind == .badData { throw failure }
    throw .pictureDoesNotFit(picture, steps, expected: words, input: input)
  }

  /// The sequences of steps that can be inserted, shortest first.
  private var insertions: [[PixelStep]] {
    let opacity: [[PixelStep]] = [[], [.opaque(nil)]]
    let colors: [[PixelStep]] = [[], [.gray], [.color]]
    var sizes: [[PixelStep]] = [[]]
    if case .image(let height?, let width?, _, _, _) = form {
      sizes.append([.fill(.init(width: width, height: height, method: .bilinear, antialias: true))])
    }
    return opacity.flatMap { a in colors.flatMap { b in sizes.map { a + b + $0 } } }
      .enumerated().sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }
      .map(\.element)
  }

  private func fits(_ picture: PictureForm) -> Bool {
    guard !picture.hasAlpha else { return false }
    switch form {
    case .image(let height, let width, let channels, _, _):
      return (height ?? picture.height) == picture.height
        && (width ?? picture.width) == picture.width
        && (channels ?? picture.channels) == picture.channels
    case .vector(let count): return picture.count == count
    }
  }

  /// Returns the shape in which a preprocessed picture is fed, without the batch axis.
  func shape(of picture: PictureForm) -> [Int] {
    switch form {
    case .image(_, _, _, _, rank: 2): [picture.height, picture.width]
    case .image(_, _, _, .channelsFirst, _): [picture.channels, picture.height, picture.width]
    case .image: picture.shape
    case .vector(let count): [count]
    }
  }

  /// Returns the values of a preprocessed picture, as they are fed.
  func values(of picture: Picture) -> [Float] {
    guard case .image(_, _, _, .channelsFirst, rank: 3) = form, picture.channels > 1 else {
      return picture.values
    }
    return NDArray(shape: picture.shape, values: picture.values).permuted([2, 0, 1]).values
  }

  /// Text such as `28 x 28 pixels of 1 value`.
  private var words: String {
    switch form {
    case .image(let height, let width, let channels, _, _):
      "\(width.map(String.init) ?? "any") x \(height.map(String.init) ?? "any") pixels of "
        + (channels.map { "\($0) \($0 == 1 ? "value" : "values")" } ?? "any number of values")
    case .vector(let count): "\(count) values, row by row"
    }
  }
}

extension NetconvError {
  fileprivate static func pictureDoesNotFit(
    _ picture: PictureForm, _ steps: [PixelStep], expected: String, input: String
  ) -> NetconvError {
    let size =
      "\(picture.width) x \(picture.height) pixels of \(picture.channels) "
      + (picture.channels == 1 ? "value" : "values")
    return NetconvError(
      .usage,
      text:
        "has \(size), but the input \(quoted(input)) expects \(expected)"
        + (steps.isEmpty ? "" : "; its steps, \(steps.words), do not lead to that")
        + "; set steps with \(.filters), such as 'fill=224x224'")
  }
}
