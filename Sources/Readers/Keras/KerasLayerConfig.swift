import Documents
import ModelIR
import Operators

/// A layer as Keras's configuration has it.
struct KerasLayerConfig: Sendable {
  /// The class, without its package: `Conv2D`.
  let className: String
  /// Unique in the model.
  let name: String
  /// The layer's own settings.
  let settings: JSONValue
  /// The first number of the version of Keras that wrote the model; some names mean other things since.
  var kerasVersion = 2

  /// Reads `{"class_name": …, "config": {"name": …}}`.
  ///
  /// - Throws: `badData` naming `place` if the class or the name is missing.
  init(_ value: JSONValue, place: String) throws(NetconvError) {
    guard let className = value["class_name"]?.string else {
      throw .configMissing("class_name", place: place)
    }
    guard let name = value["config"]?["name"]?.string ?? value["name"]?.string else {
      throw .configMissing("config.name", place: place)
    }
    self.className = className
    self.name = name
    settings = value["config"] ?? .object([:])
  }
}

// MARK: - Settings, with Keras's defaults

extension KerasLayerConfig {
  /// A whole number.
  ///
  /// - Throws: `badData` if it is missing or something else.
  func int(_ key: String, default fallback: Int? = nil) throws(NetconvError) -> Int {
    guard let value = settings[key] else {
      guard let fallback else { throw .settingMissing(key) }
      return fallback
    }
    guard let int = value.int else { throw .wrongSetting(key, value, expected: "a whole number") }
    return int
  }

  /// A number.
  ///
  /// - Throws: `badData` if it is something else.
  func double(_ key: String, default fallback: Double) throws(NetconvError) -> Double {
    guard let value = settings[key] else { return fallback }
    guard let double = value.double else { throw .wrongSetting(key, value, expected: "a number") }
    return double
  }

  /// A truth value.
  ///
  /// - Throws: `badData` if it is something else.
  func bool(_ key: String, default fallback: Bool) throws(NetconvError) -> Bool {
    guard let value = settings[key] else { return fallback }
    guard let bool = value.bool else { throw .wrongSetting(key, value, expected: "true or false") }
    return bool
  }

  /// A height and a width; one number stands for both.
  ///
  /// - Throws: `badData` if it is missing or something else.
  func size(_ key: String, default fallback: Size2D? = nil) throws(NetconvError) -> Size2D {
    guard let value = settings[key] else {
      guard let fallback else { throw .settingMissing(key) }
      return fallback
    }
    if let side = value.int { return Size2D(side, side) }
    guard let sides = value.array?.map(\.int), sides.count == 2, let height = sides[0],
      let width = sides[1]
    else { throw .wrongSetting(key, value, expected: "a whole number or two") }
    return Size2D(height, width)
  }

  /// `valid` or `same`.
  ///
  /// - Throws: `badData` if it is something else.
  func padding() throws(NetconvError) -> Padding {
    guard let value = settings["padding"] else { return .valid }
    guard let padding = value.string.flatMap({ Padding(rawValue: $0.lowercased()) }) else {
      throw .wrongSetting("padding", value, expected: "\"valid\" or \"same\"")
    }
    return padding
  }

  /// Checks that the channels come last.
  ///
  /// - Throws: `badData`.
  func requireChannelsLast() throws(NetconvError) {
    guard let format = settings["data_format"], format != .string("channels_last") else { return }
    throw .wrongSetting("data_format", format, expected: "\"channels_last\"")
  }

  /// An axis as the IR counts it, without the batch.
  ///
  /// - Throws: `badData` if it is the batch or not one axis.
  func axis(_ key: String, default fallback: Int) throws(NetconvError) -> Int {
    guard let value = settings[key] else { return fallback }
    let axes = value.array ?? [value]
    guard axes.count == 1, let axis = axes[0].int, axis != 0 else {
      throw .wrongSetting(key, value, expected: "one axis that is not the batch")
    }
    return axis > 0 ? axis - 1 : axis
  }
}
