import Documents
import ModelIR
import Operators

extension Event {
  /// A warning about the preprocessing of pixels.
  static func pixels(_ warning: Message) -> Event { .warning(warning, details: []) }
}

extension PixelPreparation {
  static func explanation(scale: Double?, offset: Double?) -> Message {
    let settings: [Message?] = [scale.map { _ in "\(.scale)" }, offset.map { _ in "\(.offset)" }]
    return settings.compactMap(\.self).joined(separator: " and ")
  }

  static func explanation(ofFilters isRecorded: Bool, range: Message?) -> Message {
    let source: Message =
      isRecorded ? "as \(.filters) says, instead of what the model records" : "as \(.filters) says"
    guard let range else { return source }
    return "\(source); the range: \(range)"
  }

  static func explanation(_ layer: Layer) -> Message {
    "the network begins with its own \(type(of: layer.operation).name) \(quoted(layer.name))"
  }

  static func explanation(ofNumbers layer: Layer) -> Message {
    layer.operation is any GatheringOperator
      ? "\(quoted(layer.name)) reads indices"
      : "the network begins with \(type(of: layer.operation).name) \(quoted(layer.name)), which reads token ids"
  }

  static func explanation(_ type: ElementType, isRecorded: Bool) -> Message {
    guard type.isInteger else {
      return isRecorded
        ? "floats; what the model records is for integers"
        : "floats, and the model records no scale"
    }
    return "\(type == .uint8 ? "bytes" : type.rawValue), and the model records no scale"
  }

  static func explanation(ofQuantities type: ElementType, readsSteps: Bool) -> Message {
    "\(type.isInteger ? type.rawValue : "floats"), and "
      + (readsSteps ? "the network reads steps" : "quantities follow from them")
  }

  static func integersAsPixels(_ type: ElementType) -> Message {
    "the values are \(type.rawValue), and were taken for pixels from 0 to 1; if they are quantities, pass \(.scale) 1"
  }

  /// Returns an integer such as `255`, or a number with four significant digits.
  private static func pixel(_ value: Float) -> String {
    value == value.rounded() ? PixelStep.number(Double(value)) : significant(value)
  }

  static func largeFloats(_ largest: Float) -> Message {
    "the pixels are floats up to \(pixel(largest)), and were not scaled; if the network expects 0 to 1, "
      + "pass \(.scale), or save them as bytes"
  }

  static let bytesAsPixels: Message =
    "the values are bytes, and were taken for pixels from 0 to 1; if they are quantities, pass \(.scale) 1"

  static func noBytes(_ facts: PixelFacts) -> Message {
    "the values go from \(pixel(facts.smallest)) to \(pixel(facts.largest)), so they are not bytes, but were "
      + "multiplied by 1/255 like bytes; pass the \(.scale) that the network was trained with, or 1"
  }

  static func smallIntegers(_ value: Message) -> Message {
    "no \(value) exceeds 1, although they are integers; if they are scaled already, pass \(.scale) 1"
  }

  static func recordNotApplied(_ steps: [PixelStep]) -> Message {
    "the model records for pixels: \(steps.words); that is for integers, and was not applied to these floats"
  }

  static func guessed(_ steps: [PixelStep]) -> Message {
    "model.json records no scale; that pixels are \(steps.isEmpty ? "used as they are" : steps.words) "
      + "is a guess; record \"scale\" or \"preprocessing\" there, or pass \(.scale)"
  }

  static func scaledTwice(_ layer: Layer, _ value: Message, largest: Float) -> Message {
    "no \(value) exceeds \(pixel(largest)), and the network begins with its own "
      + "\(type(of: layer.operation).name) \(quoted(layer.name)), which expects larger ones; they may be scaled twice"
  }

  static func scaledUp(_ layer: Layer, _ value: Message, largest: Float) -> Message {
    "\(value)s go up to \(pixel(largest)), and the network's own \(type(of: layer.operation).name) "
      + "\(quoted(layer.name)) makes them even larger; if it expects 0 to 1, pass \(.scale)"
  }
}
