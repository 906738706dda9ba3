internal import CEmitted
import ModelIR

extension EmittedLanguage {
  /// Metal shaders, with classes in Swift.
  package static let metal = EmittedLanguage.filters(
    FilterLanguage(
      name: "metal",
      help: """
        a Swift package that changes pictures with Metal: kernels for
        filters, classes that run what has changed, and a view. It needs no network.
        """,
      types: MetalFile.types,
      suffixes: [
        "BlurTaps", "Colors", "Context", "Drawing", "Error", "Filter", "Form", "GaussianBlurFilter",
        "Histogram", "HistogramConsumer", "Made", "Output", "Pass", "Placement", "Recipe",
        "SampleTable", "SaturationFilter", "Source", "Step", "TextureConsumer",
        "TextureProvider",
      ],
      files: { name in
        let sources = MetalFile.allCases.map { file in
          ("Sources/\(name)/\(name)\(file.rawValue)", file.source)
        }
        return sources + [
          ("Package.swift", RuntimeSource(netconv_metal_manifest())),
          ("README.md", RuntimeSource(netconv_metal_readme())),
        ]
      },
      chain: { steps, name in MetalChainSource(steps, name).text }))
}

/// The files of every filter package, by the suffixes of their names.
enum MetalFile: String, CaseIterable {
  case colors = "Colors.swift"
  case context = "Context.swift"
  case filter = "Filter.swift"
  case filters = "Filters.metal"
  case form = "Form.swift"
  case histogram = "Histogram.swift"
  case pass = "Pass.swift"
  case step = "Step.swift"
  case taps = "Taps.swift"
  case view = "View.swift"

  /// The external types that the files use, and the names of types nested in their own.
  static let types: Set<String> = [
    "Area", "Bundle", "CGSize", "ChannelOrder", "Encoding", "Equatable", "Hashable",
    "Interpolation", "MTKView", "MTKViewDelegate", "MTLCommandBuffer",
    "MTLComputePipelineState", "MTLLibrary", "MTLPixelFormat", "MTLRegion", "MTLRegionMake2D",
    "MTLRenderPipelineDescriptor", "MTLRenderPipelineState", "MTLSize", "MTLTexture",
    "MTLTextureDescriptor", "Margins", "Method", "Numbers", "Origin", "Result", "Row", "Size",
    "Sizing",
    "Storage", "UnsafeBufferPointer",
  ]

  var source: RuntimeSource {
    switch self {
    case .colors: RuntimeSource(netconv_metal_colors())
    case .context: RuntimeSource(netconv_metal_context())
    case .filter: RuntimeSource(netconv_metal_filter())
    case .filters: RuntimeSource(netconv_metal_filters())
    case .form: RuntimeSource(netconv_metal_form())
    case .histogram: RuntimeSource(netconv_metal_histogram())
    case .pass: RuntimeSource(netconv_metal_pass())
    case .step: RuntimeSource(netconv_metal_step())
    case .taps: RuntimeSource(netconv_metal_taps())
    case .view: RuntimeSource(netconv_metal_view())
    }
  }
}
