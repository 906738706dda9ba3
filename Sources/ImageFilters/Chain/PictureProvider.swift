import ModelIR

/// A provider of a picture: a source, or a filter that computes it on request.
///
/// Providers and consumers are not thread-safe; ``FilterDriver`` is.
public protocol PictureProvider: AnyObject {
  /// The recipe of ``picture``, available without computing it.
  ///
  /// - Throws: `usage` if a provider is missing.
  var recipe: PictureRecipe { get throws(NetconvError) }

  /// The picture, computed unless the recipe is unchanged.
  ///
  /// - Throws: An error if it cannot be computed.
  var picture: Picture { get throws(NetconvError) }

  /// The number of consumers.
  ///
  /// A consumer counts itself while it holds the provider.
  var consumerCount: Int { get set }
}

/// A consumer of a provider's pictures.
public protocol PictureConsumer: AnyObject {
  /// The provider of the pictures.
  var provider: (any PictureProvider)? { get set }
}

/// The recipe of a picture: the picture of a source, and the steps applied to it.
///
/// Equal recipes result in equal pictures. A filter is dirty if and only if its recipe differs from
/// that of its last picture.
public struct PictureRecipe: Sendable, Equatable {
  /// The identity of a source's picture.
  ///
  /// Each picture has its own.
  public struct Origin: Sendable, Equatable {
    private let identity = Identity()

    /// Creates a new identity.
    public init() {}

    /// True if both are the same.
    public static func == (a: Origin, b: Origin) -> Bool { a.identity === b.identity }

    private final class Identity: Sendable {}
  }

  /// The picture of the source.
  public let origin: Origin
  /// The steps, without those that change nothing.
  public private(set) var steps: [PixelStep] = []

  /// Creates the recipe of a source's picture.
  public init(_ origin: Origin) {
    self.origin = origin
  }

  /// Returns the recipe with another step.
  public func adding(_ step: PixelStep) -> PictureRecipe {
    var recipe = self
    if !step.changesNothing { recipe.steps.append(step) }
    return recipe
  }
}

/// The picture at the start of a chain.
public final class PictureSource: PictureProvider {
  /// The picture; setting an equal one does not affect consumers.
  public var picture: Picture {
    didSet { if picture != oldValue { recipe = PictureRecipe(PictureRecipe.Origin()) } }
  }
  /// The recipe, which identifies the picture in the recipes of filters.
  public private(set) var recipe = PictureRecipe(PictureRecipe.Origin())
  /// The number of consumers of this source.
  public var consumerCount = 0

  /// Creates a source of `picture`.
  public init(_ picture: Picture) {
    self.picture = picture
  }
}
