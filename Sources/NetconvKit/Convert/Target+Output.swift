import Transforms
import Writers

extension Target {
  /// What is written for it if nothing is said.
  var outputFormats: [OutputFormat] { formats.compactMap(OutputFormat.init) }

  /// What a safetensors file that is written for it says besides its tensors.
  var safetensorsMetadata: [String: String] { ["format": safetensorsFormat, "target": name] }
}
