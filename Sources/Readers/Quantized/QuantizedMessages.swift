import ModelIR

/// The wording of every error about weights that several tensors stand for.
extension NetconvError {
  static func missingMember(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "is quantised, but \(quoted(name)) is missing, without which its codes are no values; \(.rawCodes) reads the codes"
    )
  }

  static let codesWithoutScales = NetconvError(
    .badData,
    text:
      "holds codes, as the configuration beside it says, but no scales of a form that netconv knows lie beside it; "
      + "\(.rawCodes) reads the codes")

  static func memberOfRank(_ name: String, _ shape: [Int], expected: Int) -> NetconvError {
    NetconvError(.badData, "\(quoted(name)) has the shape \(shape), expected \(expected) axes")
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

  static func twoForms(_ first: String, _ second: String) -> NetconvError {
    NetconvError(.badData, "belongs to \(quoted(first)) and to \(quoted(second))")
  }

  static let productBesideTensor = NetconvError(
    .badData, "is there as it is, and quantised; only one of them can be the weight")

  static func groupOutside(_ group: Int) -> NetconvError {
    NetconvError(.badData, "names the group \(group), for which there is no scale")
  }

  static func wholeScale(_ scale: Float) -> NetconvError {
    NetconvError(
      .badData, "has a scale of \(scale) for the whole tensor, expected a finite number but 0")
  }

  static func wrappedZero(_ code: Int) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "has a stored zero point of \(code), which may stand for 0 or \(code + 1) in the first version of GPTQ's files; "
        + "\(.rawCodes) reads the codes")
  }

  static func otherZero(_ found: Float, expected: Float) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "has a zero point of \(found), but the configuration says 'sym', which makes it \(expected): zero points are "
        + "stored otherwise than 'checkpoint_format' says; correct it (gptq: less one, gptq_v2: as they are)"
    )
  }
}
