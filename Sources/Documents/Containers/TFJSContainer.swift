import ModelIR

extension OutputFormat {
  /// What TensorFlow.js loads with `tf.loadLayersModel`; as a container netconv does not read it again, but as a source.
  public static let tfjs = OutputFormat(
    "tfjs", files: [TFJSContainer.file], filePrefix: TFJSContainer.shardPrefix, isSourceText: true,
    unsupportedTypes: Set(ElementType.allCases).subtracting([.float32, .float16]),
    support: TFJSContainer.self)
}

/// `model.json` with the layers and the list of weights, and `group1-shard1of3.bin`, … with their values.
///
/// Source: tensorflow/tfjs, tfjs-core/src/io/types.ts, `ModelJSON`; tfjs-converter/python/tensorflowjs/write_weights.py.
public enum TFJSContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .tfjs }
  /// The file with everything but values.
  public static let file = "model.json"
  /// What the names of the other files begin with.
  static let shardPrefix = "group1-shard"
  /// Bytes of a shard, but for the last: browsers keep files of up to 4 MiB.
  public static let shardSize = 4 << 20

  /// The name of a shard, counted from 1.
  public static func shard(_ index: Int, of count: Int) -> String {
    "\(shardPrefix)\(index)of\(count).bin"
  }
}
