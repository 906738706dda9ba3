internal import CEmitted

/// The runtime files that an MPSGraph package can include.
enum MPSGraphFile: String, RuntimeFile, CaseIterable {
  case activations = "Activations"
  case executables = "Executables"
  case layers = "Layers"
  case textures = "Textures"
  case values = "Values"

  var source: RuntimeSource {
    switch self {
    case .activations: RuntimeSource(netconv_mpsgraph_activations())
    case .executables: RuntimeSource(netconv_mpsgraph_executables())
    case .layers: RuntimeSource(netconv_mpsgraph_layers())
    case .textures: RuntimeSource(netconv_mpsgraph_textures())
    case .values: RuntimeSource(netconv_mpsgraph_values())
    }
  }
}
