/// What a step does pixel by pixel, as sums of colours: three rows of three factors and a summand each.
struct NAMEColors: Equatable {
  /// ITU-R BT.601-7, section 2.5.1: red, green and blue.
  private static let luma = [0.299, 0.587, 0.114]

  let rows: [[Double]]

  /// What `step` does to a picture; `nil` if it is no such step.
  init?(_ step: NAMEStep, of form: NAMEForm) {
    let luma = form.order == .rgb ? Self.luma : Self.luma.reversed()
    switch step {
    case .scale(let numbers): rows = Self.each(numbers) { ($0, 0) }
    case .offset(let numbers): rows = Self.each(numbers) { (1, $0) }
    case .mean(let numbers): rows = Self.each(numbers) { (1, -$0) }
    case .deviation(let numbers): rows = Self.each(numbers) { (1 / $0, 0) }
    case .invert(let largest): rows = Self.each([largest]) { (-1, $0) }
    case .channels(let wanted):
      rows = (0..<3).map { row in
        let from = wanted == form.order ? row : 2 - row
        return (0..<4).map { $0 == from ? 1 : 0 }
      }
    case .saturation(let factor):
      // The three colours of a gray pixel are equal, and stay so.
      rows = (0..<3).map { row in
        (0..<3).map { (1 - factor) * luma[$0] + ($0 == row ? factor : 0) } + [0]
      }
    case .gray: rows = Array(repeating: form.isGray ? [1, 0, 0, 0] : luma + [0], count: 3)
    case .color: rows = Self.each([1]) { ($0, 0) }
    default: return nil
    }
  }

  /// Multiplies each colour, and adds to it; what is added is of values from 0 to 255.
  private static func each(
    _ numbers: [Double], _ change: (Double) -> (Double, Double)
  ) -> [[Double]] {
    (0..<3).map { row in
      let (factor, summand) = change(numbers[numbers.count == 1 ? 0 : row])
      return (0..<3).map { $0 == row ? factor : 0 } + [summand / 255]
    }
  }
}
