internal import CEmitted

/// The runtime files that an MPSCNN package can include.
enum MPSCNNFile: String, RuntimeFile, CaseIterable {
  case images = "Images"
  case kernels = "Kernels"
  case normalization = "Normalization"
  case pixels = "Pixels"
  case textures = "Textures"
  case weights = "Weights"

  var source: RuntimeSource {
    switch self {
    case .images: RuntimeSource(netconv_mpscnn_images())
    case .kernels: RuntimeSource(netconv_mpscnn_kernels())
    case .normalization: RuntimeSource(netconv_mpscnn_normalization())
    case .pixels: RuntimeSource(netconv_mpscnn_pixels())
    case .textures: RuntimeSource(netconv_mpscnn_textures())
    case .weights: RuntimeSource(netconv_mpscnn_weights())
    }
  }
}
