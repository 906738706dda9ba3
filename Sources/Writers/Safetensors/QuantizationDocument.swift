import Documents
import Files
import ModelIR

extension ContainerContents {
  /// The form of MLX's quantised weights among the entries; `nil` if there are none.
  var quantization: MLXBlocks? {
    entries.lazy.compactMap { ($0.tensor.stored.source as? PackedValues)?.packing as? MLXBlocks }
      .first
  }
}

extension OutputPlan.Entry {
  /// The name, type and shape in a safetensors file: codes of MLX are words of 32 bits.
  var stored: (name: String, type: SafetensorsType, shape: [Int]) {
    let shape = tensor.shape
    guard let packed = tensor.stored.source as? PackedValues, packed.packing is MLXBlocks else {
      return (name, SafetensorsType(elementType), shape)
    }
    return (name, .uint32, shape.dropLast() + [(shape.last ?? 0) / 4])
  }
}

/// The part of `config.json` that says how weights are quantised.
///
/// Source: mlx-lm, `utils.py`, `save_config` and `quantize_model`.
private struct QuantizationDocument: Encodable {
  struct Settings: Encodable {
    let bits: Int
    let groupSize: Int

    enum CodingKeys: String, CodingKey {
      case bits
      case groupSize = "group_size"
    }
  }

  let quantization: Settings
}

extension MLXBlocks {
  /// Writes the configuration without which the sizes of codes and groups are unknown.
  func writeConfig(in folder: String) throws(NetconvError) {
    let document = QuantizationDocument(
      quantization: QuantizationDocument.Settings(bits: bits, groupSize: groupSize))
    try OutputFile(creating: folder + "/config.json")
      .write(try JSONDocument.encode(document), at: 0)
  }
}
