import ModelIR

extension OutputFormat {
  /// The format that TensorFlow.js loads with `tf.loadLayersModel`; netconv reads it back as a source, not as a
  /// container.
  public static let tfjs = OutputFormat(
    "tfjs", files: [TFJSContainer.file], filePrefix: TFJSContainer.shardPrefix, isSourceText: true,
    unsupportedTypes: Set(ElementType.allCases).subtracting([.float32, .float16]),
    support: TFJSContainer.self)
}

/// `model.json` with the layers and the list of weights, and `group1-shard1of3.bin`, … with their values.
///
/// Source: tensorflow/tfjs, tfjs-core/src/io/types.ts, `ModelJSON`;
/// tfjs-converter/python/tensorflowjs/write_weights.py.
public enum TFJSContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .tfjs }
  /// The file with everything except the values.
  public static let file = "model.json"
  /// The prefix of the other files.
  static let shardPrefix = "group1-shard"
  /// The size of a shard in bytes, except for the last: browsers cache files of up to 4 MiB.
  public static let shardSize = 4 << 20

  /// Returns the name of a shard, counted from 1.
  public static func shard(_ index: Int, of count: Int) -> String {
    "\(shardPrefix)\(index)of\(count).bin"
  }
}
