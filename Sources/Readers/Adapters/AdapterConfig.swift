import Documents
import ModelIR

/// The settings of a LoRA adapter, from `adapter_config.json`.
///
/// Source: PEFT 0.21, `tuners/lora/config.py`, `LoraConfig`.
struct AdapterConfig: Sendable {
  /// The name of the file.
  static let fileName = "adapter_config.json"

  /// All settings, for reports.
  let settings: [String: JSONValue]
  /// The rank of modules without a pattern.
  let rank: Int
  /// The alpha of modules without a pattern.
  let alpha: Double
  /// True if alpha is divided by the square root of the rank (rsLoRA).
  let isRankStabilized: Bool
  /// True if the rows of merged weights have stored magnitudes (DoRA).
  let hasMagnitudes: Bool
  /// True if weights are stored with the inputs first, as in GPT-2's `Conv1D`.
  let hasInputsFirst: Bool
  /// True if the second factor has a bias.
  let hasBiases: Bool
  private let ranks: [(pattern: ModulePattern, value: Double)]
  private let alphas: [(pattern: ModulePattern, value: Double)]

  /// Reads the settings.
  ///
  /// - Throws: `badData` if the method is not LoRA, a value is missing, or a setting is not supported.
  init(_ document: JSONValue) throws(NetconvError) {
    guard case .object(let settings) = document else { throw .noAdapterConfig }
    self.settings = settings
    let method = settings["peft_type"]?.string
    guard method == "LORA" else { throw .otherAdapter(method) }
    try Self.checkKnown(settings)
    try Self.checkStart(settings)
    guard let rank = settings["r"]?.int, rank > 0 else { throw .wrongSetting("r") }
    guard let alpha = settings["lora_alpha"]?.double, alpha.isFinite else {
      throw .wrongSetting("lora_alpha")
    }
    (self.rank, self.alpha) = (rank, alpha)
    isRankStabilized = try Self.flag("use_rslora", in: settings)
    hasMagnitudes = try Self.flag("use_dora", in: settings)
    hasInputsFirst = try Self.flag("fan_in_fan_out", in: settings)
    hasBiases = try Self.flag("lora_bias", in: settings)
    ranks = try Self.patterns("rank_pattern", in: settings)
    alphas = try Self.patterns("alpha_pattern", in: settings)
  }

  /// Settings that do not change what merging computes, or that the tensors of the adapter express.
  private static let harmless: Set = [
    "peft_type", "peft_version", "task_type", "auto_mapping", "base_model_name_or_path", "revision",
    "inference_mode", "r", "target_modules", "exclude_modules", "lora_alpha", "lora_dropout",
    "fan_in_fan_out", "bias", "use_rslora", "modules_to_save", "init_lora_weights",
    "layers_to_transform", "layers_pattern", "rank_pattern", "alpha_pattern", "lora_bias",
    "use_dora", "eva_config", "qalora_group_size", "runtime_config", "megatron_core",
    "ephemeral_gpu_offload", "ensure_weight_tying",
  ]

  /// Checks that no other setting is used.
  private static func checkKnown(_ settings: [String: JSONValue]) throws(NetconvError) {
    for (key, value) in settings.sorted(by: { $0.key < $1.key })
    where !harmless.contains(key) && !value.isEmpty {
      throw .unsupportedSetting(key, value)
    }
  }

  /// Checks that the base weights were not changed when the training began.
  ///
  /// PiSSA, OLoRA, CorDA, LoftQ and LoRA-GA subtract the first product from them.
  private static func checkStart(_ settings: [String: JSONValue]) throws(NetconvError) {
    guard let start = settings["init_lora_weights"]?.string else { return }
    guard ["gaussian", "eva", "orthogonal", "true", "false"].contains(start.lowercased()) else {
      throw .changedBase(start)
    }
  }

  private static func flag(
    _ key: String, in settings: [String: JSONValue]
  ) throws(NetconvError) -> Bool {
    guard let value = settings[key], value != .null else { return false }
    guard let flag = value.bool else { throw .wrongSetting(key) }
    return flag
  }

  private static func patterns(
    _ key: String, in settings: [String: JSONValue]
  ) throws(NetconvError) -> [(pattern: ModulePattern, value: Double)] {
    guard let value = settings[key], value != .null else { return [] }
    guard case .object(let members) = value else { throw .wrongSetting(key) }
    var patterns: [(pattern: ModulePattern, value: Double)] = []
    for (text, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let number = value.double, number.isFinite else { throw .wrongSetting(key) }
      guard let pattern = ModulePattern(text) else { throw .unsupportedPattern(key, text) }
      patterns.append((pattern, number))
    }
    return patterns
  }

  /// Returns the rank of a module.
  ///
  /// - Throws: `badData` if patterns contradict each other.
  func rank(of module: String) throws(NetconvError) -> Int {
    guard let value = try Self.value(ranks, "rank_pattern", of: module) else { return rank }
    guard let rank = Int(exactly: value), rank > 0 else { throw .wrongSetting("rank_pattern") }
    return rank
  }

  /// Returns the factor of a module's product.
  ///
  /// - Throws: `badData` if patterns contradict each other.
  func scale(of module: String) throws(NetconvError) -> Float {
    let alpha = try Self.value(alphas, "alpha_pattern", of: module) ?? alpha
    let rank = Double(try rank(of: module))
    return Float(alpha / (isRankStabilized ? rank.squareRoot() : rank))
  }

  /// The value of the patterns that match a module.
  ///
  /// PEFT uses the first in the order of the file, which is not known here.
  private static func value(
    _ patterns: [(pattern: ModulePattern, value: Double)], _ key: String, of module: String
  ) throws(NetconvError) -> Double? {
    var found: Double?
    for (pattern, value) in patterns {
      guard let isMatch = pattern.matches(module) else {
        throw .unsupportedPattern(key, pattern.text)
      }
      guard isMatch else { continue }
      if let found, found != value { throw .severalPatterns(key, module) }
      found = value
    }
    return found
  }
}

extension JSONValue {
  /// True for `null`, `false`, and arrays, objects and strings without contents.
  fileprivate var isEmpty: Bool {
    [.null, .bool(false), .array([]), .object([:]), .string("")].contains(self)
  }
}

extension NetconvError {
  fileprivate static let noAdapterConfig = NetconvError(.badData, "holds no JSON object")

  fileprivate static func otherAdapter(_ method: String?) -> NetconvError {
    NetconvError(
      .badData,
      "the adapter's peft_type is \(method.map { quoted($0) } ?? "missing"), and only 'LORA' is merged; merge it with "
        + "PEFT's merge_and_unload, and convert the result")
  }

  fileprivate static func wrongSetting(_ key: String) -> NetconvError {
    NetconvError(.badData, "the value of \(quoted(key)) is missing or of another kind")
  }

  fileprivate static func unsupportedSetting(_ key: String, _ value: JSONValue) -> NetconvError {
    NetconvError(
      .badData,
      "sets \(quoted(key)) to \(value), with which netconv does not merge; merge it with PEFT's merge_and_unload, and "
        + "convert the result")
  }

  fileprivate static func changedBase(_ start: String) -> NetconvError {
    NetconvError(
      .badData,
      "'init_lora_weights' is \(quoted(start)): such a training begins with other base weights than those that are "
        + "stored; save the adapter with 'path_initial_model_for_weight_conversion'")
  }

  fileprivate static func unsupportedPattern(_ key: String, _ pattern: String) -> NetconvError {
    NetconvError(
      .badData,
      "the pattern \(quoted(pattern)) of \(quoted(key)) has a form that netconv does not match; write the names of "
        + "modules there")
  }

  fileprivate static func severalPatterns(_ key: String, _ module: String) -> NetconvError {
    NetconvError(
      .badData,
      "several patterns of \(quoted(key)) with different values match \(quoted(module)); write one for it"
    )
  }
}
