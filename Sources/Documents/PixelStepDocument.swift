import ModelIR
import Operators

/// A step of the preparation of pixels, in a document: `{"step": "mean", "value": [123.68, 116.779, 103.939]}`.
public struct PixelStepDocument: Sendable, Equatable, Codable {
  /// The step.
  public let step: PixelStep

  /// A step as the IR has it.
  public init(_ step: PixelStep) {
    self.step = step
  }

  private enum CodingKeys: String, CodingKey {
    case step
    case value
    case order
  }

  /// Reads a step; one number stands for a list of one.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    var record = PixelStep.Record(step: try document.decode(String.self, forKey: .step))
    if document.contains(.value) {
      let one = try? document.decode(Double.self, forKey: .value)
      record.value = try one.map { [$0] } ?? document.decode([Double].self, forKey: .value)
    }
    record.order = try document.decodeIfPresent(String.self, forKey: .order)
    step = try PixelStep(record)
  }

  /// Writes a step; a list of one is one number.
  public func encode(to encoder: any Encoder) throws {
    let record = step.record
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode(record.step, forKey: .step)
    if let value = record.value, value.count == 1 {
      try document.encode(value[0], forKey: .value)
    } else {
      try document.encodeIfPresent(record.value, forKey: .value)
    }
    try document.encodeIfPresent(record.order, forKey: .order)
  }
}
