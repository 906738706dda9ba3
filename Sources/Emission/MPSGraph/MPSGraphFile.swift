internal import CEmitted

/// The files of runtime code that a package with MPSGraph can have.
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
