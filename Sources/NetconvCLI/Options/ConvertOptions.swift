import ArgumentParser
import ModelIR
import NetconvKit

/// The destinations of `convert`.
struct DestinationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Convert each source into DIR/NAME/, and continue after a failure.",
      valueName: "dir"),
    completion: .directory)
  var into: String?

  @Option(
    help: ArgumentHelp(
      "With --into, convert only part I of N of the sources; folder names do not depend on it. (default: all)",
      valueName: "i/n"), transform: Shard.parsed)
  var shard: Shard?

  @Flag(help: "Replace an earlier output of netconv.")
  var force = false

  func validate() throws {
    try checkPaths(("--into", into))
    try check([("--shard", shard != nil)], needs: "--into DIR", into != nil)
  }
}

/// The target of `convert`, with its layouts, names and dtypes.
struct TargetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The code that reads the weights: \(targetNames). (default: mps; with --weights-only none, and all keep the source's \
      order)
      """, valueName: "target"), completion: .targets)
  var target: String?

  @Option(
    help: ArgumentHelp(
      """
      The type of kernels: float32, float16, bfloat16 or int8; PATTERN=TYPE for kernels whose layer or tensor \
      (fc1_W) it matches, with * and ?. Can be repeated; the last match counts. (default: float32)
      """, valueName: "type"), completion: .list(ElementTypeChoice.allValueStrings))
  var dtype: [ElementTypeChoice] = []

  @Option(
    help: ArgumentHelp(
      """
      The names of tensors, such as {layer}_{role}; the names of roles are the target's. After a dot, the extension \
      of .bin files: {layer}_{role}.dat, or {layer}_{role}. for none. (default: the target's)
      """,
      valueName: "template"))
  var naming: String?

  @Option(
    help: ArgumentHelp(
      "Write the tensors that this file of netconv relate --map lists, and no others.",
      valueName: "file"), completion: .file(extensions: ["json"]))
  var map: String?

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      """
      Fail if the target has no layout for a tensor, or keep the source's. (default: --strict if --target is given)
      """))
  var strict: Bool?

  @Flag(help: "Write values that a type cannot hold as infinite, instead of failing.")
  var allowOverflow = false

  func validate() throws {
    try checkPaths(("--map", map))
  }
}

/// The contents and files that `convert` writes.
struct ContentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The formats to write besides the manifest, separated by commas: bin, archive, safetensors, shards, npz; for tflite "
        + "also c and tflite, for onnx also onnx, for coreml also coreml. (default: the target's)",
      valueName: "list"),
    completion: .list(OutputFormat.allCases.map(\.rawValue)))
  var formats: String?

  @Option(
    help: ArgumentHelp(
      "The alignment of tensors in the archive in bytes: a power of two, up to 16384.",
      valueName: "bytes"))
  var align = 256

  @Option(
    help: ArgumentHelp(
      """
      Write safetensors files of at most this size, with an index as transformers has it: 5GB, 500MB or 4GiB. \
      (default: 5GB for --formats shards)
      """, valueName: "size"), transform: ByteSize.parsed)
  var shardSize: Int?

  @Option(
    help: ArgumentHelp(
      """
      With --weights-only, quantise matrices: q8_0 or q4_0 in a .gguf file, or mlx-4bit (2, 3, 4, 6 or 8 bits, in groups of \
      64; mlx-4bit/32 in groups of 32) in safetensors. (default: none)
      """, valueName: "kind"), transform: WeightQuantization.parsed)
  var quantize: WeightQuantization?

  @Flag(
    help: ArgumentHelp(
      "Write every tensor, but no graph; works with unsupported layers, and without --model."
    ))
  var weightsOnly = false

  @Option(
    name: .customLong("adapter"),
    help: ArgumentHelp(
      "With --weights-only, merge a LoRA adapter of PEFT into the weights: its folder. May be repeated. (default: none)",
      valueName: "dir"), completion: .directory)
  var adapters: [String] = []

  @Flag(
    help: ArgumentHelp(
      "Fold BatchNormalization and Scale into the kernels before them, where the graph allows."))
  var foldBatchNorm = false

  @Option(
    help: ArgumentHelp(
      """
      The axis order of the inputs and outputs of an ONNX graph or a Core ML package: channels-last as in the network, or \
      channels-first as in ONNX's operators. (default: channels-last)
      """, valueName: "layout"), completion: .list(ONNXDataLayout.allValueStrings))
  var onnxLayout: ONNXDataLayout?

  @Option(
    help: ArgumentHelp(
      "The operator set of an ONNX graph, from 17 to 23. (default: 17)", valueName: "version"))
  var opset: Int?

  @Option(
    name: .customLong("filter"),
    help: ArgumentHelp(
      "Record a preprocessing step for pictures, such as blur=2.5, after NAME: for one of several inputs; run and verify apply it. May be repeated.",
      valueName: "filter"))
  var filters: [String] = []

  func validate() throws {
    for path in adapters { try checkPaths(("--adapter", path)) }
    try check(
      [("--adapter", !adapters.isEmpty), ("--quantize", quantize != nil)],
      needs: "--weights-only", weightsOnly)
    guard (17...23).contains(opset ?? 17) else {
      throw ValidationError("--opset \(opset ?? 17) is not from 17 to 23")
    }
    guard (1...16384).contains(align), align & (align - 1) == 0 else {
      throw ValidationError("--align \(align) is not a power of two from 1 to 16384")
    }
  }

  /// The selected formats; `nil` for the target's defaults.
  ///
  /// - Throws: `usage` for an unknown name.
  func outputFormats() throws -> [OutputFormat]? {
    try formats?.split(separator: ",").map { name in
      guard let format = OutputFormat(rawValue: String(name)) else {
        throw NetconvError(
          .usage, "there is no format \(quoted(name)); known are \(OutputFormat.list)")
      }
      return format
    }
  }
}

/// The layout of inputs and outputs of an ONNX graph.
enum ONNXDataLayout: String, ExpressibleByArgument, CaseIterable {
  /// The layout of the network.
  case channelsLast = "channels-last"
  /// The layout of ONNX operations.
  case channelsFirst = "channels-first"
}

/// The rules of `convert` for weights without a graph.
struct RuleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Make the tensors from those of the source by the rules in a JSON file; netconv help rules describes them.",
      valueName: "file"), completion: .file(extensions: ["json"]))
  var rules: String?

  @Flag(help: "Undo --rules, from the last rule to the first.")
  var reverse = false

  @Option(
    help: ArgumentHelp(
      "The configuration that sizes in --rules refer to. (default: config.json beside the source)",
      valueName: "file"), completion: .file(extensions: ["json"]))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "Leave out the tensors whose names match, with * for any text; can be repeated.",
      valueName: "pattern"))
  var drop: [String] = []

  @Option(
    help: ArgumentHelp(
      "Leave the tensors whose names match in the source's order, whatever the target; can be repeated.",
      valueName: "pattern"))
  var keep: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      The axes of the tensors whose names match, in stored order: PATTERN=OIHW for a convolution, PATTERN=transposed:IOHW \
      for a transposed one, PATTERN=MIHW for a depthwise one, PATTERN=OI for a matrix; can be repeated.
      """, valueName: "pattern=axes"))
  var layout: [String] = []

  func validate() throws {
    try checkPaths(("--rules", rules), ("--config", config))
    try check(
      [("--reverse", reverse), ("--config", config != nil)], needs: "--rules FILE", rules != nil)
  }

  /// The options, and whether each is given.
  var given: [(name: String, isThere: Bool)] {
    [
      ("--rules", rules != nil), ("--drop", !drop.isEmpty), ("--keep", !keep.isEmpty),
      ("--layout", !layout.isEmpty),
    ]
  }

  /// The rules in the library's form.
  var request: RuleRequest {
    var request = RuleRequest()
    (request.path, request.configuration) = (rules, config)
    (request.isReversed, request.dropped) = (reverse, drop)
    return request
  }
}

/// A number of bytes with a unit, as an argument.
enum ByteSize {
  private static let units: [String: Int] = [
    "B": 1, "KB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
    "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "TIB": 1 << 40,
  ]

  /// Parses the argument of an option, such as `5GB` or `1.5GiB`.
  static func parsed(_ argument: String) throws -> Int {
    let number = argument.prefix { "0123456789.".contains($0) }
    guard let unit = units[argument.dropFirst(number.count).uppercased()],
      let value = Double(number), let bytes = Int(exactly: (value * Double(unit)).rounded(.down)),
      bytes > 0
    else {
      throw ValidationError("expected a size with a unit, such as 5GB, 500MB or 4GiB")
    }
    return bytes
  }
}

extension WeightQuantization {
  /// Parses the argument of an option, such as `q8_0`.
  static func parsed(_ argument: String) throws -> WeightQuantization {
    guard let quantization = WeightQuantization(argument) else {
      throw ValidationError("expected one of \(names)")
    }
    return quantization
  }
}
