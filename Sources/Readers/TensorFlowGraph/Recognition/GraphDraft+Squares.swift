extension [GraphDraft] {
  /// What a draft is the square of, value by value; `nil` if it is none.
  func base(ofSquare draft: Int) -> Int? {
    guard let expression = self[draft].expression,
      case .value(let value)? = expression.operands.first
    else { return nil }
    if expression.operation == "Square" { return value }
    guard expression.operands.count == 2 else { return nil }
    switch (expression.operation, expression.operands[1]) {
    case ("Mul", .value(value)), ("Pow", .number(2)): return value
    default: return nil
    }
  }
}
