import ModelIR

/// Something that can be asked for a picture: a source, or a filter that makes it when it is asked.
///
/// Providers and consumers are for one thread at a time; ``FilterDriver`` is for several.
public protocol PictureProvider: AnyObject {
  /// What ``picture`` is made from. Known without making it.
  ///
  /// - Throws: `usage` if something in front is missing.
  var recipe: PictureRecipe { get throws(NetconvError) }

  /// The picture. It is made if it has not been made from the same recipe before.
  ///
  /// - Throws: what makes it throws.
  var picture: Picture { get throws(NetconvError) }

  /// How many consumers have this provider. A consumer counts itself from when it gets the provider until it gives it up.
  var consumerCount: Int { get set }
}

/// Something that asks a provider for pictures.
public protocol PictureConsumer: AnyObject {
  /// Whom it asks.
  var provider: (any PictureProvider)? { get set }
}

/// What a picture is made from: the picture of a source, and what was done to it.
///
/// Equal recipes give equal pictures, so that a filter is dirty if, and only if, its recipe is another one than that of its
/// last picture.
public struct PictureRecipe: Sendable, Equatable {
  /// A picture of a source.
  ///
  /// Each has its own.
  public struct Origin: Sendable, Equatable {
    private let identity = Identity()

    /// A picture that no recipe has yet.
    public init() {}

    /// Whether two are the same.
    public static func == (a: Origin, b: Origin) -> Bool { a.identity === b.identity }

    private final class Identity: Sendable {}
  }

  /// What it begins with.
  public let origin: Origin
  /// What is done; steps that change nothing are left out.
  public private(set) var steps: [PixelStep] = []

  /// The picture of a source.
  public init(_ origin: Origin) {
    self.origin = origin
  }

  /// The recipe with another step.
  public func adding(_ step: PixelStep) -> PictureRecipe {
    var recipe = self
    if !step.changesNothing { recipe.steps.append(step) }
    return recipe
  }
}

/// A picture at the beginning of a chain.
public final class PictureSource: PictureProvider {
  /// The picture; setting one that is equal to it changes nothing for consumers.
  public var picture: Picture {
    didSet { if picture != oldValue { recipe = PictureRecipe(PictureRecipe.Origin()) } }
  }
  /// What stands for the picture in the recipes of others.
  public private(set) var recipe = PictureRecipe(PictureRecipe.Origin())
  /// How many consumers have this source.
  public var consumerCount = 0

  /// A source of `picture`.
  public init(_ picture: Picture) {
    self.picture = picture
  }
}
