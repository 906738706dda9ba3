import ModelIR

/// A picture, followed by a chain of filters.
public final class FilterChain {
  /// The source of the chain.
  public let source: PictureSource
  /// The filters in order.
  public private(set) var filters: [ImageFilter] = []
  /// The number of passes of filters that were removed from the chain.
  private var earlier = 0

  /// Creates a chain that applies `steps` to a picture.
  public init(_ picture: Picture, _ steps: [PixelStep] = []) {
    source = PictureSource(picture)
    self.steps = steps
  }

  /// The steps of the chain.
  ///
  /// A filter keeps its picture if its step is unchanged, and stays in the chain if only parameters
  /// change.
  public var steps: [PixelStep] {
    get { filters.map(\.step) }
    set {
      for (filter, step) in zip(filters, newValue) where filter.step != step { filter.step = step }
      while filters.count > newValue.count { earlier += filters.removeLast().evaluations }
      for step in newValue[filters.count...] {
        let last: any PictureProvider = filters.last ?? source
        filters.append(ImageFilter(step, provider: last))
      }
    }
  }

  /// The result of the last filter; only changed filters run.
  ///
  /// - Throws: `badData` or `usage` if a step cannot be applied.
  public var picture: Picture {
    get throws(NetconvError) { try filters.last?.picture ?? source.picture }
  }

  /// The total number of passes over a picture.
  public var evaluations: Int { filters.reduce(earlier) { $0 + $1.evaluations } }
}
