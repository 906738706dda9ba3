import ArgumentParser
import NetconvKit

extension WeightQuantization {
  /// Parses the argument of an option, such as `q8_0`.
  static func parsed(_ argument: String) throws -> WeightQuantization {
    guard let quantization = WeightQuantization(argument) else {
      throw ValidationError("expected one of \(names)")
    }
    return quantization
  }
}
