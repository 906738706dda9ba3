import ModelIR

/// How often each whole value from 0 to 255 is in each channel of a picture.
public struct Histogram: Sendable, Equatable {
  /// Of each channel, alpha included, 256 counts.
  ///
  /// Values are rounded, ties to even; what lies outside counts at the end.
  public let counts: [[Int]]
  /// Values that are no numbers, and in none of the counts.
  public let notNumbers: Int

  /// The histogram of a picture.
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

/// Counts the values of its provider's picture when it is asked, and if that has changed.
public final class HistogramConsumer: PictureConsumer {
  /// Whom it asks.
  public var provider: (any PictureProvider)? {
    didSet {
      oldValue?.consumerCount -= 1
      provider?.consumerCount += 1
    }
  }
  /// How often it has gone over a picture.
  public private(set) var evaluations = 0
  private var last: (recipe: PictureRecipe, histogram: Histogram)?

  /// A consumer that asks `provider`.
  public init(provider: (any PictureProvider)? = nil) {
    self.provider = provider
    provider?.consumerCount += 1
  }

  deinit { provider?.consumerCount -= 1 }

  /// The histogram of the provider's picture.
  ///
  /// - Throws: what the provider throws, `usage` if there is none.
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
