import ModelIR

/// A picture and filters behind it, one after the other.
public final class FilterChain {
  /// What the chain begins with.
  public let source: PictureSource
  /// The filters, from the source on.
  public private(set) var filters: [ImageFilter] = []
  /// Passes of filters that the chain does not have any more.
  private var earlier = 0

  /// A chain that does `steps` to a picture.
  public init(_ picture: Picture, _ steps: [PixelStep] = []) {
    source = PictureSource(picture)
    self.steps = steps
  }

  /// What is done.
  ///
  /// A filter whose step stays, or only gets other parameters, keeps what it has made.
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

  /// The picture behind the last filter; only what has changed is done.
  ///
  /// - Throws: `badData` or `usage` if a step cannot be done.
  public var picture: Picture {
    get throws(NetconvError) { try filters.last?.picture ?? source.picture }
  }

  /// How often filters have gone over a picture, in all.
  public var evaluations: Int { filters.reduce(earlier) { $0 + $1.evaluations } }
}
