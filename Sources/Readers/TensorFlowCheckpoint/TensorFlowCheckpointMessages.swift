import Documents
import ModelIR

/// The errors of the TensorFlow checkpoint reader.
extension NetconvError {
  // MARK: - Tables

  static var noTable: NetconvError {
    NetconvError(
      .badData,
      "does not end like a TensorFlow checkpoint file; it is truncated, damaged, or another file"
    )
  }

  static func tableCutOff(at offset: Int) -> NetconvError {
    NetconvError(
      .badData, "its table is damaged at byte \(offset): an entry extends beyond its end")
  }

  static func tooManyEntries(_ limit: Int) -> NetconvError {
    NetconvError(.badData, "holds more than \(limit) entries, more than any network needs")
  }

  // MARK: - Variables

  static var noCheckpointHeader: NetconvError {
    NetconvError(
      .badData, "is a table, but not of a TensorFlow checkpoint: it does not begin with a header")
  }

  static func wrongVariableSize(
    _ found: Int, expected: Int, shape: [Int], type: ElementType
  ) -> NetconvError {
    NetconvError(
      .badData, "has \(found) bytes, expected \(expected) (\(shape) of \(type.rawValue))")
  }

  // MARK: - Slices

  static func tooManySliceAxes(_ limit: Int) -> NetconvError {
    NetconvError(.badData, "has more than \(limit) axes")
  }

  static func wrongSlice(_ slice: TensorSlice, _ shape: [Int]) -> NetconvError {
    NetconvError(.badData, "its slice \(slice) is outside its shape \(shape)")
  }

  static func tooManySlices(limit: Int) -> NetconvError {
    NetconvError(.badData, "has more than \(limit) slices, more than any partitioned variable")
  }

  static func missingSlice(_ slice: TensorSlice) -> NetconvError {
    NetconvError(.badData, "its slice \(slice) is not in the checkpoint")
  }

  static func incompleteSlices(_ count: Int, _ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "its \(count) slices do not hold each value of \(shape) once; save the whole checkpoint again"
    )
  }

  // MARK: - Objects

  // MARK: - Names

  static func renamedToOne(_ name: String) -> NetconvError {
    NetconvError(
      .usage, text: "with \(.renames) two weights would be named \(quoted(name))")
  }

  // MARK: - Files

  static func wrongShard(_ number: Int, count: Int) -> NetconvError {
    NetconvError(
      .badData, "is in file \(number) of values, but there are \(count), counted from 0")
  }
}
