import ModelIR

/// A step in a chain: a filter that requests a picture from its provider and returns it changed.
///
/// The filter runs on request, and only if its recipe has changed since the last run. A parameter
/// that is reset before the next request therefore costs nothing. Adjacent pointwise filters run in
/// one pass if the earlier one has no other consumer and no valid picture. The pass counts for the
/// last of them.
public class ImageFilter: PictureProvider, PictureConsumer {
  /// The step of the filter.
  public final var step: PixelStep
  /// The provider of the input.
  public final var provider: (any PictureProvider)? {
    didSet {
      oldValue?.consumerCount -= 1
      provider?.consumerCount += 1
    }
  }
  /// The number of consumers of this filter.
  public final var consumerCount = 0
  /// The number of passes over a picture.
  public private(set) final var evaluations = 0
  /// The number of threads that share the rows; `nil` for one per core.
  public final var threads: Int?

  private final var last: (recipe: PictureRecipe, picture: Picture)?
  /// The last pass, whose weights are reused while it stays the same.
  private final var prepared: PreparedPass?
  private final var isAsked = false

  /// Creates a filter of `provider`'s picture.
  public init(_ step: PixelStep, provider: (any PictureProvider)? = nil) {
    self.step = step
    self.provider = provider
    provider?.consumerCount += 1
  }

  deinit { provider?.consumerCount -= 1 }

  /// The recipe of ``picture``.
  ///
  /// - Throws: `usage` if a filter has no provider or is its own.
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

  /// True if the next request has to compute ``picture``.
  ///
  /// - Throws: Any error that ``recipe`` throws.
  public final var isDirty: Bool {
    get throws(NetconvError) { try last?.recipe != recipe }
  }

  /// The picture, computed if the filter is dirty.
  ///
  /// - Throws: Any error that ``recipe`` throws; `badData` or `usage` if a step cannot be applied.
  public final var picture: Picture {
    get throws(NetconvError) {
      let recipe = try recipe
      if let last, last.recipe == recipe { return last.picture }
      guard let provider else { throw .noProvider }
      if step.changesNothing { return try provider.picture }
      let (front, steps) = try steps(from: provider)
      let input = try front.picture
      let prepared = try pass(steps, for: input.form)
      // Frees the old picture before the new one is computed.
      last = nil
      let picture = prepared.apply(to: input, try Workers(threads: threads))
      evaluations += 1
      last = (recipe, picture)
      return picture
    }
  }

  /// Returns the pass with these steps, reusing the last one if it is the same.
  private func pass(
    _ steps: [PixelStep], for form: PictureForm
  ) throws(NetconvError) -> PreparedPass {
    let wanted: FilterPass = PointMap.takes(step) ? .points(steps) : .step(step)
    if let prepared, prepared.pass == wanted, prepared.input == form { return prepared }
    let pass = try PreparedPass(wanted, for: form)
    prepared = pass
    return pass
  }

  /// The steps of one pass, including those of adjacent filters before this one, and the provider
  /// of its input.
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

// MARK: - Named filters

/// A filter that scales the difference of each colour from its luma.
public final class SaturationFilter: ImageFilter {
  /// The factor; 0 results in gray, 1 changes nothing.
  public var factor: Double {
    get { if case .saturation(let factor) = step { factor } else { 1 } }
    set { step = .saturation(newValue) }
  }

  /// Creates a filter of `provider`'s picture.
  public init(factor: Double = 1, provider: (any PictureProvider)? = nil) {
    super.init(.saturation(factor), provider: provider)
  }
}

/// A Gaussian blur.
public final class GaussianBlurFilter: ImageFilter {
  /// The radius in pixels; 0 changes nothing.
  public var radius: Double {
    get { if case .blur(let radius, _) = step { radius } else { 0 } }
    set { step = .blur(radius: newValue, sigma: sigma) }
  }

  /// The standard deviation; `nil` for half the radius.
  public var sigma: Double? {
    get { if case .blur(_, let sigma) = step { sigma } else { nil } }
    set { step = .blur(radius: radius, sigma: newValue) }
  }

  /// Creates a filter of `provider`'s picture.
  public init(radius: Double = 0, sigma: Double? = nil, provider: (any PictureProvider)? = nil) {
    super.init(.blur(radius: radius, sigma: sigma), provider: provider)
  }
}

extension NetconvError {
  fileprivate static var providersInCircle: NetconvError {
    NetconvError(.usage, "a filter is its own provider through others; break the cycle")
  }
}
