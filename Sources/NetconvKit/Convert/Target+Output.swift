import Transforms

extension Target {
  /// The metadata of a safetensors file for the target.
  var safetensorsMetadata: [String: String] { ["format": safetensorsFormat, "target": name] }
}
