import ModelIR

/// The errors of this module.
extension NetconvError {
  static func cutOff(_ type: String, at offset: Int) -> NetconvError {
    NetconvError(.badData, "\(type) is cut off at byte \(offset); the file is truncated or damaged")
  }

  static func longNumber(at offset: Int, _ type: String) -> NetconvError {
    NetconvError(.badData, "\(type): the number at byte \(offset) has more than 64 bits")
  }

  static func wrongFieldNumber(_ number: UInt64, at offset: Int, _ type: String) -> NetconvError {
    NetconvError(
      .badData, "\(type): byte \(offset) begins a field \(number), which is invalid")
  }

  static func wrongWireType(
    _ wireType: Int, field number: Int, at offset: Int, _ type: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(type): field \(number) at byte \(offset) has the wire type \(wireType); expected 0, 1, 2 "
        + "or 5")
  }

  static func fieldTooLong(
    _ number: Int, length: UInt64, at offset: Int, left: Int, _ type: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(type): field \(number) at byte \(offset) has \(length) bytes, but only \(left) are left; the file is "
        + "truncated or damaged")
  }

  static func payloadTooLong(
    _ number: Int, length: Int, limit: Int, at offset: Int, _ type: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(type): field \(number) at byte \(offset) has \(length) bytes, expected at most \(limit)")
  }

  static func notUTF8(_ number: Int, at offset: Int, _ type: String) -> NetconvError {
    NetconvError(.badData, "\(type): field \(number) at byte \(offset) is not text in UTF-8")
  }

  static func wrongKind(
    _ number: Int, expected: String, at offset: Int, _ type: String
  ) -> NetconvError {
    NetconvError(.badData, "\(type): field \(number) at byte \(offset) is not \(expected)")
  }

  static func tooManyFields(limit: Int) -> NetconvError {
    NetconvError(.badData, "holds more than \(limit) fields, more than any network needs")
  }

  static func tooMuchText(limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "holds more than \(limit) bytes of names and small values, more than any network needs")
  }

  static func tooDeep(limit: Int) -> NetconvError {
    NetconvError(.badData, "nests messages more than \(limit) deep")
  }
}
