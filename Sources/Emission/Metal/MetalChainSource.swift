import ModelIR

/// The class of a filter package: a source, followed by filters.
struct MetalChainSource {
  let text: String

  /// Creates a class named `name` with `steps`, which are not empty.
  init(_ steps: [PixelStep], _ name: PackageName) {
    let filters = Self.filters(steps, name)
    var provider = "source"
    var lines = [
      "import Metal", "", "/// A picture and filters behind it, one after the other.",
      "public final class \(name) {", "  public let source: \(name)Source",
    ]
    for filter in filters {
      lines += ["  /// `\(filter.text)`", "  public let \(filter.property): \(filter.type)"]
    }
    lines += [
      "", "  /// The filters behind a texture, which ``source`` describes.",
      "  public init(_ texture: MTLTexture, context: \(name)Context) {",
      "    source = \(name)Source(texture, context: context)",
    ]
    for filter in filters {
      lines += [
        "    \(filter.property) = \(filter.type)(",
        "      \(filter.argument), provider: \(provider), context: context)",
      ]
      provider = filter.property
    }
    lines += [
      "  }", "", "  /// The last filter: its texture is the result.",
      "  public var result: \(name)Filter { \(provider) }", "}",
    ]
    text = lines.joined(separator: "\n")
  }

  private struct Filter {
    let text: String
    let property: String
    let type: String
    let argument: String
  }

  private static func filters(_ steps: [PixelStep], _ name: PackageName) -> [Filter] {
    var counts: [String: Int] = [:]
    return steps.map { step in
      let word = step.record.step
      counts[word, default: 0] += 1
      let count = counts[word] ?? 1
      let (type, argument) =
        switch step {
        case .saturation(let factor): ("SaturationFilter", "factor: \(factor)")
        case .blur(let radius, let sigma):
          ("GaussianBlurFilter", "radius: \(radius), sigma: \(sigma.map { "\($0)" } ?? "nil")")
        default: ("Filter", step.swiftText)
        }
      return Filter(
        text: step.text, property: count == 1 ? word : "\(word)\(count)", type: "\(name)\(type)",
        argument: argument)
    }
  }
}
