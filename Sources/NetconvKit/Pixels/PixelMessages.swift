import Documents
import ModelIR

/// Messages about pixels.
extension NetconvError {
  static func nothingToScale(_ inputs: [String], leavingOut options: [Message]) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "has the inputs \(inputs.map { quoted($0) }.joined(separator: ", ")), none of which is an image; "
        + "leave out \(options.joined(separator: " and ")), and prepare the arrays yourself"
    )
  }

  static func imagesNotFinite(_ value: Float, sample: Int, count: Int) -> NetconvError {
    NetconvError(
      .badData,
      "sample \(sample) holds \(numeral(value)), and \(count) \(count == 1 ? "value is" : "values are") not "
        + "finite in all; "
        + "check the program that wrote them")
  }
}

extension NetconvError {
  static func wrongSweep(_ text: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.sweep) \(quoted(text)) is not a range of a filter; write the first parameter, the last and the step, "
        + "such as 'blur=0:4:0.5', with at most \(FilterSweep.limit) in all")
  }

  static func filterOfWhichInput(_ text: String, _ inputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.filters) \(quoted(text)) does not say to which of the inputs \(inputs.map { quoted($0) }.joined(separator: ", ")) "
        + "it applies; put the name and a colon before it")
  }
}

extension Event {
  /// A warning about the preprocessing of pixels.
  static func pixels(_ warning: Message) -> Event { .warning(warning, details: []) }

  static func inputNotFinite(_ name: String, _ count: Int) -> Event {
    .warning(
      "the input \(quoted(name)) holds \(count) \(count == 1 ? "value that is" : "values that are") not finite",
      details: [])
  }
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

  static let recordedExplanation: Message = "as the model records"

  static func explanation(_ layer: Layer) -> Message {
    "the network begins with its own \(type(of: layer.operation).name) \(quoted(layer.name))"
  }

  static func explanation(ofNumbers layer: Layer) -> Message {
    "the network begins with \(type(of: layer.operation).name) \(quoted(layer.name)), which reads token ids"
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

extension PreparationReport {
  /// Returns the options or the record that set a preparation.
  static func setting(_ steps: [PixelStep], _ facts: PixelFacts) -> Message {
    let short: (scale: Double?, offset: Double?)? =
      steps.isEmpty ? (scale: 1, offset: nil) : steps.shortForm
    if let short {
      let settings: [Message?] = [
        short.scale.map { "\(.scale)=\(PixelStep.number($0))" },
        short.offset.map { "\(.offset)=\(PixelStep.number($0))" },
      ]
      return settings.compactMap(\.self).joined(separator: " ")
    }
    let documents = steps.map(PixelStepDocument.init)
    let list = (try? JSONDocument.encodeCompact(documents)).map {
      String(decoding: $0, as: UTF8.self)
    }
    let key: Message = "\"preprocessing\": \(list ?? "") at the input in model.json"
    if facts.type.isInteger { return key }
    return facts.largest > 1.5
      ? key + ", for images that are saved as bytes" : "images that are saved like this"
  }

  static var needsImages: NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.findsPreparation) needs images with labels; name them with \(.images) and \(.labels)")
  }
}
