import Documents
import ModelIR
import Operators

// Typed accessors for the layer mappings. A missing setting has Keras's default, or is an error if Keras has none.
// `null` is an error except in the `optional…` accessors, which treat it as unset, as Keras does. A value of another
// type is an error that names the layer, the setting, and the found and expected values.

// MARK: - Single values

extension KerasLayerConfig {
  /// Returns an integer.
  ///
  /// - Throws: `badData` if the setting is missing or has another type.
  func int(_ key: String, default fallback: Int? = nil) throws(NetconvError) -> Int {
    try setting(key, default: fallback, expected: "a whole number", \.int)
  }

  /// Returns an integer, or `nil` if the setting is `null` or missing.
  ///
  /// - Throws: `badData` if it has another type.
  func optionalInt(_ key: String) throws(NetconvError) -> Int? {
    try optionalSetting(key, expected: "a whole number or null", \.int)
  }

  /// Returns a number.
  ///
  /// - Throws: `badData` if the setting is missing or has another type.
  func double(_ key: String, default fallback: Double? = nil) throws(NetconvError) -> Double {
    try setting(key, default: fallback, expected: "a number", \.double)
  }

  /// Returns a number, or `nil` if the setting is `null` or missing.
  ///
  /// - Throws: `badData` if it has another type.
  func optionalDouble(_ key: String) throws(NetconvError) -> Double? {
    try optionalSetting(key, expected: "a number or null", \.double)
  }

  /// Returns a Boolean; 0 and 1 are accepted, as in Python.
  ///
  /// - Throws: `badData` if the setting is missing or has another type.
  func bool(_ key: String, default fallback: Bool? = nil) throws(NetconvError) -> Bool {
    try setting(key, default: fallback, expected: "true or false", \.truth)
  }

  /// Returns one of the choices.
  ///
  /// - Throws: `badData` if the setting is missing or has another value.
  func choice<Choice: RawRepresentable>(
    _ key: String, of choices: [Choice], default fallback: Choice? = nil
  ) throws(NetconvError) -> Choice where Choice.RawValue == String {
    let expected = choices.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
    return try setting(key, default: fallback, expected: expected) { value in
      let name = value.string?.lowercased()
      return choices.first { $0.rawValue == name }
    }
  }

  /// True if the layer operates on sequences, according to its class: `Conv1D`.
  var isOfSequences: Bool { className.contains("1D") }

  /// The axes that the layer operates on, according to its class: `Conv3D`; those of images if it names none.
  var spatialAxes: any SpatialAxes.Type {
    Spaces.all.first { className.contains("\($0.axes.count)D") } ?? Plane.self
  }

  /// Returns the padding: `valid`, `same` or, if the layer supports it, `causal`.
  ///
  /// - Throws: `badData` for any other value.
  func padding(allowsCausal: Bool = false) throws(NetconvError) -> Padding {
    let padding = try choice(
      "padding", of: [KerasPadding.valid, .same] + (allowsCausal ? [.causal] : []),
      default: .valid)
    return padding.padding
  }

  /// Checks that the data format is channels-last.
  ///
  /// - Throws: `badData` if it is not.
  func requireChannelsLast() throws(NetconvError) {
    _ = try optionalSetting("data_format", expected: "\"channels_last\"") {
      $0.string == "channels_last" ? true : nil
    }
  }

  /// Returns an axis as the IR counts it, without the batch.
  ///
  /// - Parameter fallback: Keras's default, as the IR counts it.
  /// - Throws: `badData` if the setting is the batch axis or not a single axis.
  func axis(_ key: String, default fallback: Int) throws(NetconvError) -> Int {
    try setting(key, default: fallback, expected: "one axis that is not the batch") { value in
      let axes = value.array ?? [value]
      guard axes.count == 1, let axis = axes[0].int, axis != 0 else { return nil }
      return axis > 0 ? axis - 1 : axis
    }
  }
}

// MARK: - Lists

extension KerasLayerConfig {
  /// Returns a list of integers; a single integer is a list of one.
  ///
  /// - Throws: `badData` if the setting is missing or has another type.
  func ints(
    _ key: String, default fallback: [Int]? = nil, expected: String = "whole numbers"
  ) throws(NetconvError) -> [Int] {
    try setting(key, default: fallback, expected: expected) { all($0, \.int) }
  }

  /// Returns a non-empty list of numbers; a single number is a list of one.
  ///
  /// - Throws: `badData` if the setting is missing or has another type.
  func doubles(
    _ key: String, default fallback: [Double]? = nil,
    expected: String = "a number, or one for each channel"
  ) throws(NetconvError) -> [Double] {
    try setting(key, default: fallback, expected: expected) { value in
      all(value, \.double).flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  /// Returns one integer per axis; a single integer applies to all axes.
  ///
  /// - Throws: `badData` if the setting is missing or has another type.
  func sizes(
    _ key: String, count: Int, default fallback: [Int]? = nil
  ) throws(NetconvError) -> [Int] {
    try setting(key, default: fallback, expected: Self.sizesText(count)) { sizes($0, count) }
  }

  /// Returns one integer per axis, or `nil` if the setting is `null` or missing; a single integer applies to all
  /// axes.
  ///
  /// - Throws: `badData` if it has another type.
  func optionalSizes(_ key: String, count: Int) throws(NetconvError) -> [Int]? {
    try optionalSetting(key, expected: Self.sizesText(count) + " or null") { sizes($0, count) }
  }

  /// Returns a size for each spatial axis; a single integer applies to all axes.
  ///
  /// - Throws: `badData` if the setting is missing or has another type.
  func size<Space: SpatialAxes>(
    _ key: String, default fallback: SpatialSize<Space>? = nil
  ) throws(NetconvError) -> SpatialSize<Space> {
    SpatialSize(
      sizes: try sizes(key, count: Space.axes.count, default: fallback.map(\.sizes)))
  }

  /// Returns a size for each spatial axis, or `nil` if the setting is `null` or missing.
  ///
  /// - Throws: `badData` if it has another type.
  func optionalSize<Space: SpatialAxes>(
    _ key: String
  ) throws(NetconvError) -> SpatialSize<Space>? {
    try optionalSizes(key, count: Space.axes.count).map(SpatialSize.init(sizes:))
  }

  /// Returns the amounts before and after each spatial axis: one number for all, one per axis, or a pair per axis; for a
  /// sequence one number, or a pair.
  ///
  /// - Throws: `badData` if the setting has another type.
  func sides<Space: SpatialAxes>(
    _ key: String, _ space: Space.Type, default fallback: Int
  ) throws(NetconvError) -> [[Int]] {
    let count = space.axes.count
    guard count > 1 else { return [try sizes(key, count: 2, default: [fallback, fallback])] }
    return try borders(
      key, axes: count, default: [[Int]](repeating: [fallback, fallback], count: count),
      expected: space.sidesText)
  }

  /// Returns the amounts before and after each axis: one number for all, one per axis, or a pair per axis.
  ///
  /// - Throws: `badData` if the setting is missing or has another type.
  func borders(
    _ key: String, axes count: Int, default fallback: [[Int]]? = nil, expected: String
  ) throws(NetconvError) -> [[Int]] {
    try setting(key, default: fallback, expected: expected) { value in
      let axes = value.array ?? [JSONValue](repeating: value, count: count)
      let pairs = axes.compactMap { sizes($0, 2) }
      return axes.count == count && pairs.count == count ? pairs : nil
    }
  }

  private static func sizesText(_ count: Int) -> String {
    let words = [1: "one", 2: "two", 3: "three"]
    return "a whole number" + (count == 1 ? "" : " or \(words[count] ?? "\(count)")")
  }
}

// MARK: - Generic accessors

extension KerasLayerConfig {
  /// Converts a setting with `read`.
  ///
  /// - Parameters:
  ///   - fallback: Keras's default; `nil` if the setting is required.
  ///   - read: Returns `nil` for a value of the wrong type.
  /// - Throws: `badData` if the setting is missing or `read` returns `nil`.
  func setting<Value>(
    _ key: String, default fallback: Value?, expected: String, _ read: (JSONValue) -> Value?
  ) throws(NetconvError) -> Value {
    guard let value = value(of: key) else {
      guard let fallback else { throw NetconvError.settingMissing(key).inLayer(name) }
      return fallback
    }
    guard let result = read(value) else {
      throw NetconvError.wrongSetting(key, value, expected: expected).inLayer(name)
    }
    return result
  }

  /// Converts a setting with `read`; returns `nil` if it is `null` or missing.
  ///
  /// - Throws: `badData` if `read` returns `nil`.
  func optionalSetting<Value>(
    _ key: String, expected: String, _ read: (JSONValue) -> Value?
  ) throws(NetconvError) -> Value? {
    guard let value = value(of: key), value != .null else { return nil }
    return try setting(key, default: nil, expected: expected, read)
  }

  /// Converts each element of a list, or a single value as a list of one; `nil` if an element has the wrong type.
  private func all<Value>(_ value: JSONValue, _ read: (JSONValue) -> Value?) -> [Value]? {
    let elements = value.array ?? [value]
    let values = elements.compactMap(read)
    return values.count == elements.count ? values : nil
  }

  private func sizes(_ value: JSONValue, _ count: Int) -> [Int]? {
    if let one = value.int { return [Int](repeating: one, count: count) }
    guard value.array?.count == count else { return nil }
    return all(value, \.int)
  }
}

extension SpatialSize {
  /// 2 along every axis, the default of Keras's upsampling and pooling layers.
  static var two: SpatialSize { SpatialSize(sizes: one.sizes.map { 2 * $0 }) }
}

extension JSONValue {
  /// The Boolean value; 0 and 1 are accepted, as in Python.
  var truth: Bool? {
    switch self {
    case .bool(let truth): truth
    case .number(0): false
    case .number(1): true
    default: nil
    }
  }
}

/// Keras's names of paddings.
enum KerasPadding: String {
  case valid
  case same
  case causal

  /// The padding as the operators represent it.
  var padding: Padding {
    switch self {
    case .valid: .valid
    case .same: .same
    case .causal: .causal
    }
  }
}
