import ModelIR

/// The wording of every error of this module.
extension NetconvError {
  static func outside(_ type: String, at offset: Int, count: Int) -> NetconvError {
    NetconvError(
      .badData,
      "\(type) refers to byte \(offset) of \(count); the file is truncated or damaged")
  }

  static func wrongTable(_ type: String, at offset: Int) -> NetconvError {
    NetconvError(.badData, "\(type): no table begins at byte \(offset); the file is damaged")
  }

  static func fieldOutside(
    _ type: String, field: Int, offset: Int, size: Int
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(type): field \(field) is at byte \(offset) of a table of \(size); the file is damaged")
  }

  static func vectorOutside(_ type: String, field: Int, count: Int) -> NetconvError {
    NetconvError(
      .badData,
      "\(type): field \(field) has \(count) elements, more than the file; it is truncated or damaged"
    )
  }

  static func noText(_ type: String, field: Int) -> NetconvError {
    NetconvError(.badData, "\(type): field \(field) is no text in UTF-8; the file is damaged")
  }

  static func tooManyTables(limit: Int) -> NetconvError {
    NetconvError(.badData, "the file names more than \(limit) tables; no network has as many")
  }

  static func tooManyElements(limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the file names more than \(limit) sizes, scales and letters; no network has as many")
  }
}
