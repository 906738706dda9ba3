import ModelIR

extension OutputFormat {
  /// All tensors in several safetensors files with an index, as transformers saves and loads large models.
  public static let shards = OutputFormat(
    "shards", files: [ShardsContainer.file], filePrefix: ShardsContainer.shardPrefix,
    support: ShardsContainer.self)
}

/// `model.safetensors.index.json`, and `model-00001-of-00002.safetensors`, … with the tensors.
///
/// Source: huggingface_hub 2.4, `serialization/_base.py`, `split_state_dict_into_shards_factory`; `_torch.py`,
/// `save_torch_state_dict`.
public enum ShardsContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .shards }
  /// The index, which maps tensors to files.
  public static let file = "model.safetensors.index.json"
  /// The prefix of the other files.
  static let shardPrefix = "model-"
  /// The size of a shard by default, as in huggingface_hub.
  public static let defaultSize = 5_000_000_000

  /// Returns the name of a shard, counted from 1.
  public static func shard(_ index: Int, of count: Int) -> String {
    func padded(_ number: Int) -> String {
      String(repeating: "0", count: max(0, 5 - String(number).count)) + String(number)
    }
    return
      "\(shardPrefix)\(padded(index))-of-\(padded(count))\(OutputFormat.safetensors.ending ?? "")"
  }

  /// Assigns tensors of the given sizes to shards, in order.
  ///
  /// A shard is full when the next tensor would exceed the size. A larger tensor gets a shard of its own, which stands
  /// before the one that is being filled.
  /// - Returns: The indices of the tensors in each shard.
  public static func assigned(_ sizes: [Int], limit: Int) -> [[Int]] {
    var shards: [[Int]] = []
    var current: [Int] = []
    var currentSize = 0
    for (index, size) in sizes.enumerated() {
      guard size <= limit else {
        shards.append([index])
        continue
      }
      if currentSize > limit - size {
        shards.append(current)
        (current, currentSize) = ([], 0)
      }
      current.append(index)
      currentSize += size
    }
    if !current.isEmpty { shards.append(current) }
    return shards
  }
}

/// The contents of an index of shards.
public struct ShardIndexDocument: Codable, Sendable {
  /// The size of all tensors.
  public struct Metadata: Codable, Sendable {
    /// The sum of the sizes of all tensors in bytes.
    public var totalSize: Int

    enum CodingKeys: String, CodingKey {
      case totalSize = "total_size"
    }
  }

  /// The size of all tensors.
  public var metadata: Metadata
  /// The file of each tensor.
  public var weightMap: [String: String]

  enum CodingKeys: String, CodingKey {
    case metadata
    case weightMap = "weight_map"
  }

  /// Creates an index.
  public init(totalSize: Int, files: [String: String]) {
    metadata = Metadata(totalSize: totalSize)
    weightMap = files
  }
}
