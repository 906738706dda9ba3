import Metal

extension NAME {
  #if severalOutputs
  /// What `predict` gives for one sample.
  public typealias Outputs = [[Float]]
  #else
  /// What `predict` gives for one sample.
  public typealias Outputs = [Float]
  #endif

  /// Runs the network on a picture and waits.
  ///
  /// ``NAMEPreparation`` says what is done to the picture.
  ///
  /// - Parameters:
  ///   - texture: the picture: BGRA8, RGBA8, RGBA16F or RGBA32F, not as sRGB, with straight alpha.
  ///   - region: what is seen of it, in pixels; all if it is `nil`.
  /// - Returns: what `predict` gives for values.
  public func predict(_ texture: MTLTexture, region: MTLRegion? = nil) throws -> Outputs {
    // What nobody needs any more is gone before the next run.
    try autoreleasepool {
      let run = try run(texture, region, readyPictures())
      run.commandBuffer.commit()
      run.commandBuffer.waitUntilCompleted()
      if let error = run.error { throw error }
      return run.outputs()
    }
  }
}

/// A command buffer with all that is done to a picture, and what comes out when it has run.
///
/// It goes to the thread that is told of the end.
struct NAMERun: @unchecked Sendable {
  /// What the work was begun in: a graph may have committed it, and gone on with another command buffer.
  let first: MTLCommandBuffer
  /// What is to be committed; when it has run, all has.
  let commandBuffer: MTLCommandBuffer
  let outputs: () -> NAME.Outputs

  /// Why the device has failed, if it has.
  var error: Error? { first.error ?? commandBuffer.error }
}

/// The way of pictures into the network: its kernels, and the textures between them.
///
/// For one thread at a time. Textures are used again, so all command buffers have to be of one queue.
final class NAMEPictures: @unchecked Sendable {
  let context: NAMEContext
  private var last: (form: NAMEForm, region: NAMEStep.Area?, passes: [NAMEPass])?

  /// A way that is encoded into command buffers of `device`, which compiles the kernels now.
  init(device: MTLDevice) throws { context = try NAMEContext(device: device) }

  /// Another with the same kernels and queue, and with textures of its own.
  init(sharing other: NAMEPictures) { context = NAMEContext(sharing: other.context) }

  /// Adds the way of a picture to a command buffer.
  ///
  /// - Parameters:
  ///   - format: what the result holds.
  ///   - ending: a pass behind all others.
  /// - Returns: a texture of the context's own: it goes back when all that reads it is encoded.
  func encode(
    _ texture: MTLTexture, region: MTLRegion?, to format: MTLPixelFormat, ending: [NAMEPass] = [],
    in commandBuffer: MTLCommandBuffer
  ) throws -> MTLTexture {
    try context.encode(
      passes(from: texture, region) + ending, from: texture, to: format, in: commandBuffer)
  }

  /// What is done to the picture in a texture.
  func passes(from texture: MTLTexture, _ region: MTLRegion?) throws -> [NAMEPass] {
    try Self.check(texture)
    let form = NAMEForm(width: texture.width, height: texture.height)
    let area = try region.map { try Self.area($0, of: texture) }
    if let last, last.form == form, last.region == area { return last.passes }
    var current = form
    var passes: [NAMEPass] = []
    func add(_ step: NAMEStep) throws {
      passes += try NAMEPass.passes(of: step, current)
      current = try current.after(step)
    }
    if let area { try add(.crop(area)) }
    for step in try Self.steps(for: current) { try add(step) }
    last = (form, area, passes)
    return passes
  }

  // MARK: Checks

  private static func check(_ texture: MTLTexture) throws {
    // Of a texture of sRGB kernels would read light.
    let known: [MTLPixelFormat] = [.bgra8Unorm, .rgba8Unorm, .rgba16Float, .rgba32Float]
    guard known.contains(texture.pixelFormat) else {
      throw NAMEError(
        "a picture has the pixel format \(texture.pixelFormat.rawValue); wanted are bgra8Unorm (80), "
          + "rgba8Unorm (70), rgba16Float (115) and rgba32Float (125)")
    }
    guard texture.textureType == .type2D else {
      throw NAMEError(
        "a picture has the texture type \(texture.textureType.rawValue); wanted is type2D (2)")
    }
    guard texture.usage == .unknown || texture.usage.contains(.shaderRead) else {
      throw NAMEError(
        "a picture has the texture usage \(texture.usage.rawValue); wanted is shaderRead (1)")
    }
  }

  private static func area(
    _ region: MTLRegion, of texture: MTLTexture
  ) throws -> NAMEStep.Area {
    let (origin, size) = (region.origin, region.size)
    guard origin.z == 0, size.depth == 1, origin.x >= 0, origin.y >= 0, size.width > 0,
      size.height > 0, size.width <= texture.width, origin.x <= texture.width - size.width,
      size.height <= texture.height, origin.y <= texture.height - size.height
    else {
      throw NAMEError(
        "a region of \(size.width) x \(size.height) x \(size.depth) pixels from "
          + "(\(origin.x), \(origin.y), \(origin.z)) on is not in a picture of "
          + "\(texture.width) x \(texture.height) x 1")
    }
    return NAMEStep.Area(x: origin.x, y: origin.y, width: size.width, height: size.height)
  }

  // MARK: Fitting

  /// What is done to a picture: the preparation, and in front of it as little as makes the result fit.
  static func steps(for form: NAMEForm) throws -> [NAMEStep] {
    var problem: String?
    for first in insertions {
      let steps = first + NAMEPreparation.steps
      do {
        if fits(try steps.reduce(form) { try $0.after($1) }) { return steps }
      } catch {
        problem = problem ?? "\(error)"
      }
    }
    throw NAMEError(
      "a picture of \(form.width) x \(form.height) pixels does not become "
        + "\(NAMEPreparation.width) x \(NAMEPreparation.height) pixels of "
        + "\(NAMEPreparation.channels) values" + (problem.map { ": \($0)" } ?? ""))
  }

  /// What can be put in front, the shortest first; of one length, what comes later gives up more.
  private static let insertions: [[NAMEStep]] = {
    let size = NAMEStep.fill(
      .init(
        width: NAMEPreparation.width, height: NAMEPreparation.height, method: .bilinear,
        antialias: true))
    // Gray comes behind the size, which is the same and is done to fewer pixels.
    return [
      [], [size], [.gray], [.opaque(nil)], [size, .gray], [.opaque(nil), size],
      [.opaque(nil), .gray], [.opaque(nil), size, .gray],
    ]
  }()

  private static func fits(_ form: NAMEForm) -> Bool {
    !form.hasAlpha && form.width == NAMEPreparation.width && form.height == NAMEPreparation.height
      && form.isGray == (NAMEPreparation.channels == 1)
  }
}
