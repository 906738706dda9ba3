import ImageFilters
import ModelIR

/// How pictures of any size and colours become what an input takes.
///
/// What is asked for, or recorded, is done as it stands. Where its result does not fit, as few steps as possible are put in
/// front: alpha is given up, colours become gray or gray becomes three channels, and the size is filled.
struct PictureFitting {
  /// What is done in any case.
  private let steps: [PixelStep]
  private let input: String
  private let form: Form

  /// What an input takes.
  private enum Form {
    /// An image; sizes that may be any are `nil`.
    case image(height: Int?, width: Int?, channels: Int?, order: PixelStep.AxisOrder, rank: Int)
    /// So many values, row by row.
    case vector(Int)
  }

  /// The way into `input`, whose values are prepared by `steps`.
  ///
  /// - Parameter hasChannelsFirst: whether the source has the input with channels first.
  /// - Throws: `usage` if it takes no images.
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

  /// What is done to a picture.
  ///
  /// - Throws: `usage` if nothing makes it fit, `badData` if a step itself is wrong.
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

  /// What can be put in front, the shortest first.
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

  /// The shape of what is fed of a prepared picture, without the batch.
  func shape(of picture: PictureForm) -> [Int] {
    switch form {
    case .image(_, _, _, _, rank: 2): [picture.height, picture.width]
    case .image(_, _, _, .channelsFirst, _): [picture.channels, picture.height, picture.width]
    case .image: picture.shape
    case .vector(let count): [count]
    }
  }

  /// The values of a prepared picture, as they are fed.
  func values(of picture: Picture) -> [Float] {
    guard case .image(_, _, _, .channelsFirst, rank: 3) = form, picture.channels > 1 else {
      return picture.values
    }
    return NDArray(shape: picture.shape, values: picture.values).permuted([2, 0, 1]).values
  }

  /// `28 x 28 pixels of 1 value`.
  private var words: String {
    switch form {
    case .image(let height, let width, let channels, _, _):
      "\(width.map(String.init) ?? "any") x \(height.map(String.init) ?? "any") pixels of "
        + (channels.map { "\($0) \($0 == 1 ? "value" : "values")" } ?? "any number of values")
    case .vector(let count): "\(count) values, row by row"
    }
  }
}
