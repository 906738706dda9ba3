import ModelIR

/// The texts of errors about models that Core ML cannot represent.
extension NetconvError {
  static func notInCoreML(_ operation: String) -> NetconvError {
    NetconvError(
      .badData,
      "Core ML has no operation for \(operation); write the weights alone, as arrays")
  }

  static func refusedByCoreML(_ reason: String) -> NetconvError {
    NetconvError(.badData, "\(reason), which Core ML does not support")
  }

  static func missingInputForCoreML(_ operation: String, _ index: Int) -> NetconvError {
    NetconvError(.badData, "\(operation) has no input \(index)")
  }

  static func tooManyAxes(_ count: Int) -> NetconvError {
    NetconvError(.badData, "has a value with \(count) axes, but values of Core ML have at most 5")
  }

  static func largeIntegerForCoreML(_ value: Int) -> NetconvError {
    NetconvError(.badData, "needs the integer \(value), but Core ML has 32 bits for it")
  }

  static let openSizeForCoreML = NetconvError(
    .badData, "depends on a size that is open; fix the size of the model's input")

  static func openParameterForCoreML(_ operation: String) -> NetconvError {
    NetconvError(.badData, "\(operation) needs its parameters as constants, but they are computed")
  }
}
