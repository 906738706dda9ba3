import ModelIR

extension PixelStep {
  /// The Swift source text of the step: `.mean([0.5])`.
  package var swiftText: String {
    switch self {
    case .scale(let numbers): ".scale(\(numbers))"
    case .offset(let numbers): ".offset(\(numbers))"
    case .mean(let numbers): ".mean(\(numbers))"
    case .deviation(let numbers): ".deviation(\(numbers))"
    case .invert(let largest): ".invert(from: \(largest))"
    case .channels(let order): ".channels(.\(order.rawValue))"
    case .transpose: ".transpose"
    case .axes(let order): ".axes(.\(order.rawValue))"
    case .saturation(let factor): ".saturation(\(factor))"
    case .gray: ".gray"
    case .color: ".color"
    case .opaque(let values): ".opaque(\(values.map { "\($0)" } ?? "nil"))"
    case .encoding(let encoding): ".encoding(.\(encoding.rawValue))"
    case .boxBlur(let radius): ".boxBlur(radius: \(radius))"
    case .blur(let radius, let sigma):
      ".blur(radius: \(radius), sigma: \(sigma.map { "\($0)" } ?? "nil"))"
    case .crop(let area): ".crop(\(Self.swiftText(area)))"
    case .pad(let margins, let values):
      ".pad(.init(left: \(margins.left), top: \(margins.top), right: \(margins.right), "
        + "bottom: \(margins.bottom)), \(values))"
    case .turn(let quarters): ".turn(quarters: \(quarters))"
    case .resize(let sizing): ".resize(\(Self.swiftText(sizing)))"
    case .fit(let sizing, let values): ".fit(\(Self.swiftText(sizing)), \(values))"
    case .fill(let sizing): ".fill(\(Self.swiftText(sizing)))"
    case .region(let area, let step): ".region(\(Self.swiftText(area)), \(step.swiftText))"
    }
  }

  private static func swiftText(_ area: Area) -> String {
    ".init(x: \(area.x), y: \(area.y), width: \(area.width), height: \(area.height))"
  }

  private static func swiftText(_ sizing: Sizing) -> String {
    ".init(width: \(sizing.width), height: \(sizing.height), method: .\(sizing.method.rawValue), "
      + "antialias: \(sizing.antialias))"
  }
}
