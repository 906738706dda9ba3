extension [PixelStep] {
  /// A description of the steps: `multiplied by 1/127.5, minus 1`; `as they are` if there is no change.
  public var words: String {
    let words = compactMap(\.words)
    return words.isEmpty ? "as they are" : words.joined(separator: ", ")
  }
}

extension PixelStep {
  /// A description of the step; `nil` for a step that changes nothing.
  var words: String? {
    switch self {
    case .scale(let factors):
      return factors == [1] ? nil : "multiplied by " + Self.list(factors, Self.factor)
    case .offset(let numbers):
      guard numbers.count == 1 else { return "plus " + Self.list(numbers, Self.number) }
      guard numbers[0] != 0 else { return nil }
      return (numbers[0] < 0 ? "minus " : "plus ") + Self.number(numbers[0].magnitude)
    case .mean(let numbers):
      if numbers == [0] { return nil }
      return "minus the \(numbers.count == 1 ? "mean" : "means") " + Self.list(numbers, Self.number)
    case .deviation(let numbers):
      if numbers == [1] { return nil }
      return "divided by the \(numbers.count == 1 ? "deviation" : "deviations") "
        + Self.list(numbers, Self.number)
    case .invert(let largest): return "subtracted from " + Self.number(largest)
    case .channels(let order): return "channels as " + order.rawValue.uppercased()
    case .transpose: return "height and width swapped"
    case .axes(.channelsFirst): return "channels moved to the front"
    case .axes(.channelsLast): return "channels moved to the end"
    case .saturation(let factor):
      return factor == 1 ? nil : "saturation times " + Self.number(factor)
    case .gray: return "converted to gray"
    case .color: return "gray as three channels"
    case .opaque(let values):
      return values.map { "in front of " + Self.list($0, Self.number) } ?? "without alpha"
    case .encoding(let encoding): return "values as \(encoding.rawValue)"
    case .boxBlur, .blur, .crop, .pad, .turn, .resize, .fit, .fill: return wordsOfPlaces
    case .region(let area, let step):
      return step.words.map { "\($0) in \(Self.words(area))" }
    }
  }

  private var wordsOfPlaces: String? {
    switch self {
    case .boxBlur(let radius): radius == 0 ? nil : "blurred by a box of radius \(radius)"
    case .blur(let radius, let sigma):
      radius == 0
        ? nil
        : "blurred with radius \(Self.number(radius))"
          + (sigma.map { " and sigma \(Self.number($0))" } ?? "")
    case .crop(let area): "cut to \(Self.words(area))"
    case .pad(let margins, let values):
      "padded by \(margins.left), \(margins.top), \(margins.right), \(margins.bottom) pixels (left, top, "
        + "right, bottom) of " + Self.list(values, Self.number)
    case .turn(let quarters): "rotated by \(quarters * 90) degrees"
    case .resize(let sizing): "stretched to \(Self.words(sizing))"
    case .fit(let sizing, let values):
      "fitted into \(Self.words(sizing)), around it " + Self.list(values, Self.number)
    case .fill(let sizing): "filling \(Self.words(sizing))"
    default: nil
    }
  }

  private static func words(_ sizing: Sizing) -> String {
    "\(sizing.width) x \(sizing.height) (\(sizing.method.rawValue)\(sizing.antialias ? ", antialiased" : ""))"
  }

  private static func words(_ area: Area) -> String {
    "\(area.width) x \(area.height) from column \(area.x), row \(area.y)"
  }

  private static func list(_ numbers: [Double], _ text: (Double) -> String) -> String {
    numbers.map(text).joined(separator: ", ")
  }

  /// Formats a number as `255` or `127.5`.
  package static func number(_ value: Double) -> String {
    guard let whole = Int(exactly: value), whole.magnitude < 1_000_000 else { return "\(value)" }
    return "\(whole)"
  }

  /// Formats a factor, as `1/255` if a divisor with few digits is close enough.
  private static func factor(_ value: Double) -> String {
    let divisor = (10 / value).rounded() / 10
    guard value.magnitude < 1, (1...65535).contains(divisor.magnitude),
      abs(1 / divisor - value) <= value.magnitude * 1e-7
    else { return number(value) }
    return value < 0 ? "-1/" + number(-divisor) : "1/" + number(divisor)
  }
}
