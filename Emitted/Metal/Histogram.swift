import Metal

/// How often each of 256 levels is in each channel of a picture: red, green, blue and alpha.
public struct NAMEHistogram: Equatable {
  /// Values are rounded, ties to even; what lies outside of 0 to 1 counts at the end.
  public let counts: [[Int]]
  /// Values that are no numbers, and in none of the counts.
  public let notNumbers: Int
}

/// Counts the values of its provider's picture when it is asked, and if that has changed.
public final class NAMEHistogramConsumer: NAMETextureConsumer {
  /// Whom it asks.
  public var provider: (any NAMETextureProvider)?
  /// How often it has gone over a picture.
  public private(set) var evaluations = 0
  private var last: (recipe: NAMERecipe, histogram: NAMEHistogram)?

  /// Levels, and one for what is no number.
  private static let length = 4 * 256 + 1

  /// A consumer that asks `provider`.
  public init(provider: (any NAMETextureProvider)? = nil) { self.provider = provider }

  /// The histogram of the provider's picture; one command buffer makes the picture and counts.
  public func histogram() throws -> NAMEHistogram {
    guard let provider else { throw NAMEError("a histogram is asked and has no provider") }
    let recipe = try provider.recipe
    if let last, last.recipe == recipe { return last.histogram }
    let counts = try counts(of: provider)
    evaluations += 1
    let histogram = NAMEHistogram(
      counts: (0..<4).map { Array(counts[$0 * 256..<($0 + 1) * 256]) },
      notNumbers: counts[Self.length - 1])
    last = (recipe, histogram)
    return histogram
  }

  private func counts(of provider: any NAMETextureProvider) throws -> [Int] {
    let context = provider.context
    let zeros = [UInt32](repeating: 0, count: Self.length)
    let made = zeros.withUnsafeBytes { bytes in
      bytes.baseAddress.flatMap {
        context.device.makeBuffer(bytes: $0, length: bytes.count, options: .storageModeShared)
      }
    }
    guard let buffer = made else { throw NAMEError("no memory for a histogram") }
    try context.run { commandBuffer in
      let texture = try provider.texture(in: commandBuffer)
      try context.encode(
        "countLevels", [texture], [buffer], width: texture.width, height: texture.height,
        in: commandBuffer)
    }
    let counts = buffer.contents().bindMemory(to: UInt32.self, capacity: Self.length)
    return UnsafeBufferPointer(start: counts, count: Self.length).map { Int($0) }
  }
}
