import Documents
import Files
import ModelIR

/// The quantisation settings in the configuration files next to the weights.
///
/// Source: transformers, `quantization_config` of `config.json`; mlx-lm, `quantization`; AutoGPTQ's
/// `quantize_config.json`; AutoAWQ's `quant_config.json`.
struct QuantizationConfig: Sendable {
  /// The files that were read.
  private(set) var documents: [RandomAccessFile] = []
  /// The value of `quantization_config`, or the contents of `quantize_config.json` or `quant_config.json`.
  private(set) var settings: JSONValue?
  /// The value of MLX's `quantization`.
  private(set) var mlx: JSONValue?

  /// Reads the configuration files in a folder.
  ///
  /// - Throws: `badData` if a file is not valid JSON.
  init(beside folder: String) throws(NetconvError) {
    if let config = try read("config.json", in: folder) {
      mlx = config["quantization"]
      settings = config["quantization_config"] ?? config["compression_config"]
    }
    for name in ["quantize_config.json", "quant_config.json"] where settings == nil {
      settings = try read(name, in: folder)
    }
    // mlx-lm writes the same settings to both keys.
    if mlx == nil, settings?["quant_method"] == nil, settings?["group_size"] != nil,
      settings?["bits"] != nil, documents.count == 1, documents[0].path.hasSuffix("/config.json")
    {
      mlx = settings
    }
  }

  private mutating func read(_ name: String, in folder: String) throws(NetconvError) -> JSONValue? {
    let path = folder + "/" + name
    guard FileState(path: path) != nil else { return nil }
    let file = try RandomAccessFile(path: path)
    do throws(NetconvError) {
      let value = try JSONDocument.parse(
        file.contents(limit: JSONDocument.sizeLimit), refusesRepeatedKeys: false)
      documents.append(file)
      return value
    } catch {
      throw error.inFile(path)
    }
  }

  /// The quantisation method, such as `gptq`, `awq` or `fp8`; `nil` if it is not stated.
  var method: String? { settings?["quant_method"]?.string }

  /// True if a file states that weights are quantised.
  var saysQuantized: Bool { settings != nil || mlx != nil }
}
