import ModelIR

/// Errors about weights that are stored as several tensors.
extension NetconvError {
  static func missingMember(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "is quantised, but \(quoted(name)) is missing, without which its codes are no values; \(.rawCodes) reads the codes"
    )
  }

  static func memberOfType(
    _ name: String, _ type: String, expected: Set<ElementType>
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(name)) is of the type \(type), expected "
        + expected.map(\.rawValue).sorted().joined(separator: " or "))
  }

  static func memberOfShape(
    _ name: String, _ shape: [Int], expected: [Int]
  ) -> NetconvError {
    NetconvError(.badData, "\(quoted(name)) has the shape \(shape), expected \(expected)")
  }

  static func codesOfOtherShape(_ count: Int, _ shape: [Int]) -> NetconvError {
    NetconvError(.badData, "its codes are \(count), expected as many as the shape \(shape) has")
  }

  static func ambiguousForm(_ what: String, _ wayOn: String) -> NetconvError {
    NetconvError(
      .badData,
      text: "\(what) cannot be told for sure; \(wayOn), or take the codes with \(.rawCodes)")
  }

  static func contradictingConfig(_ key: String, _ stated: String, _ found: String) -> NetconvError
  {
    NetconvError(
      .badData,
      text:
        "the configuration says \(key) is \(stated), but the tensors are those of \(found); \(.rawCodes) reads the codes"
    )
  }

  static func unknownForm(_ what: String) -> NetconvError {
    NetconvError(
      .badData,
      text: "is quantised as \(what), which netconv does not read; \(.rawCodes) reads the codes")
  }
}
