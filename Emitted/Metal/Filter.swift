import Metal

/// Something that can be asked for a texture: a source, or a filter that makes it when it is asked.
public protocol NAMETextureProvider: AnyObject {
  var context: NAMEContext { get }
  /// What the texture is made from; known without making it.
  var recipe: NAMERecipe { get throws }
  /// What the picture in the texture is.
  var form: NAMEForm { get throws }
  /// The texture, as it is when the command buffer has run. What has not changed is not made again.
  ///
  /// The texture belongs to the provider: it holds this picture until the provider makes another.
  func texture(in commandBuffer: MTLCommandBuffer) throws -> MTLTexture
}

/// Something that asks a provider for textures.
public protocol NAMETextureConsumer: AnyObject {
  var provider: (any NAMETextureProvider)? { get set }
}

extension NAMETextureProvider {
  /// The texture, with all that is needed for it in one command buffer, which has run.
  public func pull() throws -> MTLTexture { try context.run { try texture(in: $0) } }

  /// The values of the picture, from the top and from the left: red, green, blue and straight alpha, from 0 to 1.
  public func values() throws -> [Float] {
    let form = try form
    let count = form.width * form.height * 4
    let length = count * MemoryLayout<Float>.size
    guard let buffer = context.device.makeBuffer(length: length, options: .storageModeShared)
    else { throw NAMEError("no memory for the values of a picture") }
    try context.run { commandBuffer in
      try context.encode(
        "store", [texture(in: commandBuffer)], [buffer], width: form.width, height: form.height,
        in: commandBuffer)
    }
    let values = buffer.contents().bindMemory(to: Float.self, capacity: count)
    return Array(UnsafeBufferPointer(start: values, count: count))
  }
}

/// What a texture is made from: the texture of a source, and what was done to it.
public struct NAMERecipe: Equatable {
  final class Origin {}

  let origin: Origin
  var steps: [NAMEStep] = []
  var format: MTLPixelFormat?

  /// Whether two textures would be the same.
  public static func == (one: NAMERecipe, other: NAMERecipe) -> Bool {
    one.origin === other.origin && one.steps == other.steps && one.format == other.format
  }
}

/// A texture at the beginning of a chain.
public final class NAMESource: NAMETextureProvider {
  /// The device with the kernels.
  public let context: NAMEContext
  /// What stands for the picture in the recipes of others.
  public private(set) var recipe = NAMERecipe(origin: NAMERecipe.Origin())
  /// The picture: BGRA8, RGBA8, RGBA16F or RGBA32F, with straight alpha.
  ///
  /// Another one makes all filters behind it dirty.
  public var texture: MTLTexture { didSet { textureHasChanged() } }
  /// How values grow with light.
  public var encoding = NAMEStep.Encoding.sRGB { didSet { textureHasChanged() } }

  /// A source of `texture`.
  public init(_ texture: MTLTexture, context: NAMEContext) {
    self.texture = texture
    self.context = context
  }

  /// Says that the texture has other pixels than before.
  public func textureHasChanged() { recipe = NAMERecipe(origin: NAMERecipe.Origin()) }

  /// What the picture in the texture is.
  public var form: NAMEForm {
    var form = NAMEForm(width: texture.width, height: texture.height)
    form.encoding = encoding
    return form
  }

  /// The texture, as it is when the command buffer has run.
  public func texture(in commandBuffer: MTLCommandBuffer) throws -> MTLTexture {
    // Of a texture of sRGB kernels would read light.
    let known: [MTLPixelFormat] = [.bgra8Unorm, .rgba8Unorm, .rgba16Float, .rgba32Float]
    guard known.contains(texture.pixelFormat) else {
      throw NAMEError(
        "a source has the pixel format \(texture.pixelFormat); known are bgra8Unorm, rgba8Unorm, "
          + "rgba16Float and rgba32Float")
    }
    return texture
  }
}

/// A step as a link of a chain: asks its provider for a texture, and gives it on changed.
///
/// It works when it is asked, and only if its recipe has changed since it last worked: a parameter that goes back before
/// anybody asks costs nothing.
public class NAMEFilter: NAMETextureProvider, NAMETextureConsumer {
  /// The device with the kernels.
  public let context: NAMEContext
  /// What is done.
  public final var step: NAMEStep
  /// Whom it asks.
  public final var provider: (any NAMETextureProvider)?
  /// How often the filter has been encoded.
  public private(set) final var evaluations = 0
  private final var last: NAMEMade?
  private final var isAsked = false

  /// One that asks `provider`.
  public init(_ step: NAMEStep, provider: (any NAMETextureProvider)? = nil, context: NAMEContext) {
    self.step = step
    self.provider = provider
    self.context = context
  }

  /// What the texture is made from.
  public final var recipe: NAMERecipe {
    get throws {
      var recipe = try asking { try $0.recipe }
      if !step.changesNothing { recipe.steps.append(step) }
      return recipe
    }
  }

  /// What the picture in the texture is.
  public final var form: NAMEForm {
    get throws { try asking { try $0.form.after(step) } }
  }

  /// Whether the texture has to be made when it is asked for.
  public final var isDirty: Bool {
    get throws { try last?.holds(recipe, in: nil) != true }
  }

  /// The texture, as it is when the command buffer has run.
  public final func texture(in commandBuffer: MTLCommandBuffer) throws -> MTLTexture {
    let recipe = try recipe
    if let last, last.holds(recipe, in: commandBuffer) { return last.texture }
    return try asking { provider in
      let passes = try NAMEPass.passes(of: step, provider.form)
      let source = try provider.texture(in: commandBuffer)
      if passes.isEmpty { return source }
      // What is not needed any more makes room for the new one.
      if let last { context.giveBack(last.texture) }
      last = nil
      let texture = try context.encode(
        passes, from: source, to: context.storage.format, in: commandBuffer)
      evaluations += 1
      last = NAMEMade(recipe: recipe, texture: texture, commandBuffer: commandBuffer)
      return texture
    }
  }

  /// Asks the provider, unless that asks this filter.
  private final func asking<Answer>(
    _ question: (any NAMETextureProvider) throws -> Answer
  ) throws -> Answer {
    guard !isAsked else { throw NAMEError("a filter is its own provider, through others") }
    guard let provider else { throw NAMEError("a filter is asked and has no provider") }
    isAsked = true
    defer { isAsked = false }
    return try question(provider)
  }
}

/// A texture that was made, or will have been when its command buffer has run.
struct NAMEMade {
  let recipe: NAMERecipe
  let texture: MTLTexture
  let commandBuffer: MTLCommandBuffer

  /// Whether it holds what a recipe makes.
  ///
  /// What was only encoded does in its own command buffer; what failed never does.
  func holds(_ wanted: NAMERecipe, in other: MTLCommandBuffer?) -> Bool {
    guard recipe == wanted else { return false }
    switch commandBuffer.status {
    case .committed, .scheduled, .completed: return true
    case .error: return false
    default: return other != nil && other === commandBuffer
    }
  }
}

/// The picture of its provider in a texture of a certain format: 8 bits cut off values at 0 and 1.
public final class NAMEOutput: NAMETextureProvider, NAMETextureConsumer {
  /// The device with the kernels.
  public let context: NAMEContext
  /// Whom it asks.
  public var provider: (any NAMETextureProvider)?
  /// BGRA8, RGBA8, RGBA16F or RGBA32F.
  public let format: MTLPixelFormat
  private var last: NAMEMade?

  /// One that asks `provider`.
  public init(
    _ format: MTLPixelFormat, provider: (any NAMETextureProvider)? = nil, context: NAMEContext
  ) {
    self.format = format
    self.provider = provider
    self.context = context
  }

  private var asked: any NAMETextureProvider {
    get throws {
      guard let provider else { throw NAMEError("an output is asked and has no provider") }
      return provider
    }
  }

  /// What the picture in the texture is.
  public var form: NAMEForm { get throws { try asked.form } }

  /// What the texture is made from.
  public var recipe: NAMERecipe {
    get throws {
      var recipe = try asked.recipe
      recipe.format = format
      return recipe
    }
  }

  /// The texture, as it is when the command buffer has run.
  public func texture(in commandBuffer: MTLCommandBuffer) throws -> MTLTexture {
    let recipe = try recipe
    if let last, last.holds(recipe, in: commandBuffer) { return last.texture }
    let source = try asked.texture(in: commandBuffer)
    if let last { context.giveBack(last.texture) }
    last = nil
    let texture = try context.encode(
      [NAMEPass.copy(form)], from: source, to: format, in: commandBuffer)
    last = NAMEMade(recipe: recipe, texture: texture, commandBuffer: commandBuffer)
    return texture
  }
}

// MARK: - Filters with names

/// Multiplies the distance of each colour from its luma: 0 gives gray, 1 changes nothing.
public final class NAMESaturationFilter: NAMEFilter {
  /// 0 gives gray, 1 changes nothing.
  public var factor: Double {
    get { if case .saturation(let factor) = step { factor } else { 1 } }
    set { step = .saturation(newValue) }
  }

  /// One that asks `provider`.
  public init(
    factor: Double, provider: (any NAMETextureProvider)? = nil, context: NAMEContext
  ) {
    super.init(.saturation(factor), provider: provider, context: context)
  }
}

/// A Gaussian blur.
public final class NAMEGaussianBlurFilter: NAMEFilter {
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

  /// One that asks `provider`.
  public init(
    radius: Double, sigma: Double? = nil, provider: (any NAMETextureProvider)? = nil,
    context: NAMEContext
  ) {
    super.init(.blur(radius: radius, sigma: sigma), provider: provider, context: context)
  }
}
