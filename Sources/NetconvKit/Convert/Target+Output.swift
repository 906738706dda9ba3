import Transforms

extension Target {
  /// What a safetensors file that is written for it says besides its tensors.
  var safetensorsMetadata: [String: String] { ["format": safetensorsFormat, "target": name] }
}
