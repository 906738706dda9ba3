extension [GraphDraft] {
  /// The draft of which another draft is the elementwise square; `nil` if there is none.
  func base(ofSquare draft: Int) -> Int? {
    guard let expression = self[draft].expression,
      case .value(let value)? = expression.operands.first
    else { return nil }
    if expression.function == .square { return value }
    guard expression.operands.count == 2 else { return nil }
    switch (expression.function, expression.operands[1]) {
    case (.multiply, .value(value)), (.power, .number(2)): return value
    default: return nil
    }
  }
}
