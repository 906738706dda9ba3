import Documents
import ModelIR
import Operators

// What layer mappings read settings with. All agree on this: a setting that the configuration lacks has
// Keras's default, or is an error if Keras has none; `null` is an error but for the accessors called
// `optional…`, which take it for "not set" as Keras does; a value of another type is an error, which names
// the layer, the setting, what was found and what was expected.

// MARK: - One value

extension KerasLayerConfig {
  /// A whole number.
  ///
  /// - Throws: `badData` if it is missing or something else.
  func int(_ key: String, default fallback: Int? = nil) throws(NetconvError) -> Int {
    try setting(key, default: fallback, expected: "a whole number", \.int)
  }

  /// A whole number, or `nil` if it is `null` or missing.
  ///
  /// - Throws: `badData` if it is something else.
  func optionalInt(_ key: String) throws(NetconvError) -> Int? {
    try optionalSetting(key, expected: "a whole number or null", \.int)
  }

  /// A number.
  ///
  /// - Throws: `badData` if it is missing or something else.
  func double(_ key: String, default fallback: Double? = nil) throws(NetconvError) -> Double {
    try setting(key, default: fallback, expected: "a number", \.double)
  }

  /// A number, or `nil` if it is `null` or missing.
  ///
  /// - Throws: `badData` if it is something else.
  func optionalDouble(_ key: String) throws(NetconvError) -> Double? {
    try optionalSetting(key, expected: "a number or null", \.double)
  }

  /// A truth value; 0 and 1 stand for one, as they do in Python.
  ///
  /// - Throws: `badData` if it is missing or something else.
  func bool(_ key: String, default fallback: Bool? = nil) throws(NetconvError) -> Bool {
    try setting(key, default: fallback, expected: "true or false", \.truth)
  }

  /// One of several names.
  ///
  /// - Throws: `badData` if it is missing or something else.
  func choice<Choice: RawRepresentable>(
    _ key: String, of choices: [Choice], default fallback: Choice? = nil
  ) throws(NetconvError) -> Choice where Choice.RawValue == String {
    let expected = choices.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
    return try setting(key, default: fallback, expected: expected) { value in
      let name = value.string?.lowercased()
      return choices.first { $0.rawValue == name }
    }
  }

  /// Whether the layer is for sequences, as its class says: `Conv1D`.
  var isOfSequences: Bool { className.contains("1D") }

  /// `valid`, `same` or, where the layer has it, `causal`.
  ///
  /// - Throws: `badData` if it is something else.
  func padding(allowsCausal: Bool = false) throws(NetconvError) -> Padding {
    let padding = try choice(
      "padding", of: [KerasPadding.valid, .same] + (allowsCausal ? [.causal] : []),
      default: .valid)
    return padding.padding
  }

  /// Checks that the channels come last.
  ///
  /// - Throws: `badData`.
  func requireChannelsLast() throws(NetconvError) {
    _ = try optionalSetting("data_format", expected: "\"channels_last\"") {
      $0.string == "channels_last" ? true : nil
    }
  }

  /// An axis as the IR counts it, without the batch.
  ///
  /// - Parameter fallback: Keras's default, as the IR counts it.
  /// - Throws: `badData` if it is the batch or not one axis.
  func axis(_ key: String, default fallback: Int) throws(NetconvError) -> Int {
    try setting(key, default: fallback, expected: "one axis that is not the batch") { value in
      let axes = value.array ?? [value]
      guard axes.count == 1, let axis = axes[0].int, axis != 0 else { return nil }
      return axis > 0 ? axis - 1 : axis
    }
  }
}

// MARK: - Several values

extension KerasLayerConfig {
  /// A list of whole numbers; one number stands for a list of it.
  ///
  /// - Throws: `badData` if it is missing or something else.
  func ints(
    _ key: String, default fallback: [Int]? = nil, expected: String = "whole numbers"
  ) throws(NetconvError) -> [Int] {
    try setting(key, default: fallback, expected: expected) { all($0, \.int) }
  }

  /// A list of numbers, at least one; one number stands for a list of it.
  ///
  /// - Throws: `badData` if it is missing or something else.
  func doubles(
    _ key: String, default fallback: [Double]? = nil,
    expected: String = "a number, or one for each channel"
  ) throws(NetconvError) -> [Double] {
    try setting(key, default: fallback, expected: expected) { value in
      all(value, \.double).flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  /// One whole number per axis; one number stands for all of them.
  ///
  /// - Throws: `badData` if it is missing or something else.
  func sizes(
    _ key: String, count: Int, default fallback: [Int]? = nil
  ) throws(NetconvError) -> [Int] {
    try setting(key, default: fallback, expected: Self.sizesText(count)) { sizes($0, count) }
  }

  /// One whole number per axis, or `nil` if it is `null` or missing; one number stands for all of them.
  ///
  /// - Throws: `badData` if it is something else.
  func optionalSizes(_ key: String, count: Int) throws(NetconvError) -> [Int]? {
    try optionalSetting(key, expected: Self.sizesText(count) + " or null") { sizes($0, count) }
  }

  /// A size along each spatial axis; one number stands for all.
  ///
  /// - Throws: `badData` if it is missing or something else.
  func size<Space: SpatialAxes>(
    _ key: String, default fallback: SpatialSize<Space>? = nil
  ) throws(NetconvError) -> SpatialSize<Space> {
    SpatialSize(
      sizes: try sizes(key, count: Space.axes.count, default: fallback.map(\.sizes)))
  }

  /// A size along each spatial axis, or `nil` if it is `null` or missing; one number stands for all.
  ///
  /// - Throws: `badData` if it is something else.
  func optionalSize<Space: SpatialAxes>(
    _ key: String
  ) throws(NetconvError) -> SpatialSize<Space>? {
    try optionalSizes(key, count: Space.axes.count).map(SpatialSize.init(sizes:))
  }

  /// What lies before and after a sequence: one number for both, or a pair.
  ///
  /// - Throws: `badData` if it is something else.
  func ends(
    _ key: String, default fallback: Int
  ) throws(NetconvError) -> (before: Int, after: Int) {
    let ends = try sizes(key, count: 2, default: [fallback, fallback])
    return (ends[0], ends[1])
  }

  /// What lies before and after each axis: one number for all, one per axis, or a pair per axis.
  ///
  /// - Throws: `badData` if it is missing or something else.
  func borders(
    _ key: String, axes count: Int, default fallback: Int? = nil, expected: String
  ) throws(NetconvError) -> [(before: Int, after: Int)] {
    let all = fallback.map { [(before: Int, after: Int)](repeating: ($0, $0), count: count) }
    return try setting(key, default: all, expected: expected) { value in
      let axes = value.array ?? [JSONValue](repeating: value, count: count)
      let pairs = axes.compactMap { axis in
        sizes(axis, 2).map { (before: $0[0], after: $0[1]) }
      }
      return axes.count == count && pairs.count == count ? pairs : nil
    }
  }

  private static func sizesText(_ count: Int) -> String {
    let words = [1: "one", 2: "two", 3: "three"]
    return "a whole number" + (count == 1 ? "" : " or \(words[count] ?? "\(count)")")
  }
}

// MARK: - Any value

extension KerasLayerConfig {
  /// What `read` makes of a setting.
  ///
  /// - Parameters:
  ///   - fallback: Keras's default; `nil` if the setting must be there.
  ///   - read: gives `nil` for a value of the wrong type.
  /// - Throws: `badData` if it is missing or `read` refuses it.
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

  /// What `read` makes of a setting, or `nil` if it is `null` or missing.
  ///
  /// - Throws: `badData` if `read` refuses it.
  func optionalSetting<Value>(
    _ key: String, expected: String, _ read: (JSONValue) -> Value?
  ) throws(NetconvError) -> Value? {
    guard let value = value(of: key), value != .null else { return nil }
    return try setting(key, default: nil, expected: expected, read)
  }

  /// Each element of a list, or the one value that stands for a list; `nil` if one is of the wrong type.
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
  /// 2 along every axis, Keras's default of what enlarges and pools.
  static var two: SpatialSize { SpatialSize(sizes: one.sizes.map { 2 * $0 }) }
}

extension JSONValue {
  /// A truth value; 0 and 1 stand for one, as they do in Python.
  var truth: Bool? {
    switch self {
    case .bool(let truth): truth
    case .number(0): false
    case .number(1): true
    default: nil
    }
  }
}

/// The padding of a layer as Keras names it.
enum KerasPadding: String {
  case valid
  case same
  case causal

  /// As operators have it.
  var padding: Padding {
    switch self {
    case .valid: .valid
    case .same: .same
    case .causal: .causal
    }
  }
}
