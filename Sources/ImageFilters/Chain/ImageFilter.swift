import ModelIR

/// A step as a link of a chain: asks its provider for a picture, and gives it on changed.
///
/// It works when it is asked, and only if its recipe has changed since it last worked: a parameter that goes back before
/// anybody asks costs nothing. Neighbouring filters that change pixels one by one work in one pass, where the one in front
/// has no other consumer and no picture that could be used; the pass is counted by the last of them.
public class ImageFilter: PictureProvider, PictureConsumer {
  /// What is done.
  public final var step: PixelStep
  /// Whom it asks.
  public final var provider: (any PictureProvider)? {
    didSet {
      oldValue?.consumerCount -= 1
      provider?.consumerCount += 1
    }
  }
  /// How many consumers have this filter.
  public final var consumerCount = 0
  /// How often the filter has gone over a picture.
  public private(set) final var evaluations = 0
  /// How many threads share the rows; as many as there are cores if it is `nil`.
  public final var threads: Int?

  private final var last: (recipe: PictureRecipe, picture: Picture)?
  /// The last pass, whose weights serve as long as it stays the same.
  private final var prepared: PreparedPass?
  private final var isAsked = false

  /// A filter that asks `provider`.
  public init(_ step: PixelStep, provider: (any PictureProvider)? = nil) {
    self.step = step
    self.provider = provider
    provider?.consumerCount += 1
  }

  deinit { provider?.consumerCount -= 1 }

  /// What ``picture`` is made from.
  ///
  /// - Throws: `usage` if a filter has no provider, or is its own.
  public final var recipe: PictureRecipe {
    get throws(NetconvError) {
      guard !isAsked else { throw .providersInCircle }
      isAsked = true
      defer { isAsked = false }
      guard let provider else { throw .noProvider }
      try step.check()
      return try provider.recipe.adding(step)
    }
  }

  /// Whether ``picture`` has to be made when it is asked for.
  ///
  /// - Throws: as ``recipe``.
  public final var isDirty: Bool {
    get throws(NetconvError) { try last?.recipe != recipe }
  }

  /// The picture, made if the filter is dirty.
  ///
  /// - Throws: as ``recipe``; `badData` or `usage` if a step cannot be done.
  public final var picture: Picture {
    get throws(NetconvError) {
      let recipe = try recipe
      if let last, last.recipe == recipe { return last.picture }
      guard let provider else { throw .noProvider }
      if step.changesNothing { return try provider.picture }
      let (front, steps) = try steps(from: provider)
      let input = try front.picture
      let prepared = try pass(steps, for: input.form)
      // What is not needed any more makes room for the new one.
      last = nil
      let picture = prepared.apply(to: input, try Workers(threads: threads))
      evaluations += 1
      last = (recipe, picture)
      return picture
    }
  }

  /// The pass with these steps, made if it is not the last one.
  private func pass(
    _ steps: [PixelStep], for form: PictureForm
  ) throws(NetconvError) -> PreparedPass {
    let wanted: FilterPass = PointMap.takes(step) ? .points(steps) : .step(step)
    if let prepared, prepared.pass == wanted, prepared.input == form { return prepared }
    let pass = try PreparedPass(wanted, for: form)
    prepared = pass
    return pass
  }

  /// The steps that one pass can do, with those of neighbours in front, and who gives the picture for them.
  private func steps(
    from provider: any PictureProvider
  ) throws(NetconvError) -> (any PictureProvider, [PixelStep]) {
    var steps = [step]
    var front = provider
    guard PointMap.takes(step) else { return (front, steps) }
    while let filter = front as? ImageFilter, let next = filter.provider,
      PointMap.takes(filter.step), filter.consumerCount == 1, try filter.isDirty
    {
      if !filter.step.changesNothing { steps.insert(filter.step, at: 0) }
      front = next
    }
    return (front, steps)
  }
}

// MARK: - Filters with names

/// Multiplies the distance of each colour from its luma.
public final class SaturationFilter: ImageFilter {
  /// 0 gives gray, 1 changes nothing.
  public var factor: Double {
    get { if case .saturation(let factor) = step { factor } else { 1 } }
    set { step = .saturation(newValue) }
  }

  /// A filter that asks `provider`.
  public init(factor: Double = 1, provider: (any PictureProvider)? = nil) {
    super.init(.saturation(factor), provider: provider)
  }
}

/// A Gaussian blur.
public final class GaussianBlurFilter: ImageFilter {
  /// How far it reaches, in pixels; 0 changes nothing.
  public var radius: Double {
    get { if case .blur(let radius, _) = step { radius } else { 0 } }
    set { step = .blur(radius: newValue, sigma: sigma) }
  }

  /// The standard deviation, half of the radius if it is `nil`.
  public var sigma: Double? {
    get { if case .blur(_, let sigma) = step { sigma } else { nil } }
    set { step = .blur(radius: radius, sigma: newValue) }
  }

  /// A filter that asks `provider`.
  public init(radius: Double = 0, sigma: Double? = nil, provider: (any PictureProvider)? = nil) {
    super.init(.blur(radius: radius, sigma: sigma), provider: provider)
  }
}
