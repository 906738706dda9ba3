extension [PixelStep] {
  /// What is done, for people: `multiplied by 1/127.5, minus 1`; `as they are` for nothing.
  public var words: String {
    let words = compactMap(\.words)
    return words.isEmpty ? "as they are" : words.joined(separator: ", ")
  }
}

extension PixelStep {
  /// What is done, for people; `nil` for a step that changes nothing.
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
    case .transpose: return "height and width exchanged"
    case .axes(.channelsFirst): return "channels moved to the front"
    case .axes(.channelsLast): return "channels moved to the end"
    }
  }

  private static func list(_ numbers: [Double], _ text: (Double) -> String) -> String {
    numbers.map(text).joined(separator: ", ")
  }

  /// `255` or `127.5`.
  package static func number(_ value: Double) -> String {
    guard let whole = Int(exactly: value), whole.magnitude < 1_000_000 else { return "\(value)" }
    return "\(whole)"
  }

  /// `1/255`, if a number with so few digits does it.
  private static func factor(_ value: Double) -> String {
    let divisor = (10 / value).rounded() / 10
    guard value.magnitude < 1, (1...65535).contains(divisor.magnitude),
      abs(1 / divisor - value) <= value.magnitude * 1e-7
    else { return number(value) }
    return value < 0 ? "-1/" + number(-divisor) : "1/" + number(divisor)
  }
}
