import ModelIR
import Operators

/// A preprocessing step of pixels in a document: `{"step": "mean", "value": [123.68, 116.779, 103.939]}`.
public struct PixelStepDocument: Sendable, Equatable, Codable {
  /// The step.
  public let step: PixelStep

  /// Creates the document of a step.
  public init(_ step: PixelStep) {
    self.step = step
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case step
    case value, sigma, order, x, y, left, top, right, bottom, width, height, method, antialias
    case region
  }

  private enum AreaKeys: String, CodingKey {
    case x, y, width, height
  }

  /// Decodes a step; a single number is accepted in place of a list.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    var record = PixelStep.Record(step: try document.decode(String.self, forKey: .step))
    for key in PixelStep.Record.Key.allCases {
      guard let name = CodingKeys(rawValue: key.rawValue), document.contains(name) else { continue }
      switch key {
      case .order, .method:
        record.parameters[key] = .word(try document.decode(String.self, forKey: name))
      case .antialias:
        record.parameters[key] = .flag(try document.decode(Bool.self, forKey: name))
      case .region:
        let area = try document.superDecoder(forKey: name).attributes(AreaKeys.self)
        record.parameters[key] = .area(
          PixelStep.Area(
            x: try area.decode(Int.self, forKey: .x), y: try area.decode(Int.self, forKey: .y),
            width: try area.decode(Int.self, forKey: .width),
            height: try area.decode(Int.self, forKey: .height)))
      default:
        let one = try? document.decode(Double.self, forKey: name)
        record.parameters[key] = .numbers(
          try one.map { [$0] } ?? document.decode([Double].self, forKey: name))
      }
    }
    step = try PixelStep(record)
  }

  /// Encodes a step; a list of one number is encoded as the number.
  public func encode(to encoder: any Encoder) throws {
    let record = step.record
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode(record.step, forKey: .step)
    for key in PixelStep.Record.Key.allCases {
      guard let name = CodingKeys(rawValue: key.rawValue) else { continue }
      switch record.parameters[key] {
      case .numbers(let numbers)? where numbers.count == 1:
        // Numbers of pixels are integers.
        if let whole = Int(exactly: numbers[0]), key != .value, key != .sigma {
          try document.encode(whole, forKey: name)
        } else {
          try document.encode(numbers[0], forKey: name)
        }
      case .numbers(let numbers)?: try document.encode(numbers, forKey: name)
      case .word(let word)?: try document.encode(word, forKey: name)
      case .flag(let flag)?: try document.encode(flag, forKey: name)
      case .area(let area)?:
        var region = document.nestedContainer(keyedBy: AreaKeys.self, forKey: name)
        try region.encode(area.x, forKey: .x)
        try region.encode(area.y, forKey: .y)
        try region.encode(area.width, forKey: .width)
        try region.encode(area.height, forKey: .height)
      case nil: break
      }
    }
  }
}
