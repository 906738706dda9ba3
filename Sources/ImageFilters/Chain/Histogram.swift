import ModelIR

/// The number of occurrences of each integer from 0 to 255 in each channel of a picture.
public struct Histogram: Sendable, Equatable {
  /// The 256 counts of each channel, including alpha.
  ///
  /// Values are rounded, ties to even, and clamped to the range.
  public let counts: [[Int]]
  /// The number of NaNs, which no count includes.
  public let notNumbers: Int

  /// Counts the values of a picture.
  public init(_ picture: Picture) {
    var counts = Array(repeating: Array(repeating: 0, count: 256), count: picture.channels)
    var notNumbers = 0
    for (index, value) in picture.values.enumerated() {
      guard !value.isNaN else {
        notNumbers += 1
        continue
      }
      let level = Int(min(max(value, 0), 255).rounded(.toNearestOrEven))
      counts[index % picture.channels][level] += 1
    }
    self.counts = counts
    self.notNumbers = notNumbers
  }
}

/// A consumer that counts the values of its provider's picture on request, if the picture has
/// changed.
public final class HistogramConsumer: PictureConsumer {
  /// The provider of the picture.
  public var provider: (any PictureProvider)? {
    didSet {
      oldValue?.consumerCount -= 1
      provider?.consumerCount += 1
    }
  }
  /// The number of passes over a picture.
  public private(set) var evaluations = 0
  private var last: (recipe: PictureRecipe, histogram: Histogram)?

  /// Creates a consumer of `provider`.
  public init(provider: (any PictureProvider)? = nil) {
    self.provider = provider
    provider?.consumerCount += 1
  }

  deinit { provider?.consumerCount -= 1 }

  /// The histogram of the provider's picture.
  ///
  /// - Throws: Any error that the provider throws, or `usage` if there is none.
  public var histogram: Histogram {
    get throws(NetconvError) {
      guard let provider else { throw .noProvider }
      let recipe = try provider.recipe
      if let last, last.recipe == recipe { return last.histogram }
      let histogram = Histogram(try provider.picture)
      evaluations += 1
      last = (recipe, histogram)
      return histogram
    }
  }
}
