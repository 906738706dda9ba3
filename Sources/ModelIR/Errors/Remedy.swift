/// An action that a message recommends: an option to set, to leave out, or to change.
///
/// A library does not know how its caller sets options: the command line has flags, a Swift program has the properties
/// of a request. So a ``Message`` carries the remedy itself, and the program that shows the message words it.
public enum Remedy: Sendable, Hashable {
  /// Allow finite values to overflow to infinity.
  case allowOverflow
  /// The weights or model to compare with.
  case against
  /// The architecture, for files that contain only weights.
  case architecture
  /// The file that contains the architecture.
  case architectureFile
  /// The mapping from tensors to parameters.
  case bindings
  /// The configuration that sizes in rules refer to.
  case configuration
  /// The convention for the names and layouts of tensors.
  case convention
  /// The output file for generated code.
  case code
  /// A scaffold: a draft of the graph for a file of weights.
  case scaffold
  /// Conversion of the weights without a graph.
  case convertWeightsOnly
  /// The element type of all kernels.
  case elementType
  /// A different element type for the kernel of one layer.
  case elementTypeOf(layer: String, ElementType)
  /// Element types by layer name patterns.
  case elementTypeRules
  /// The network to read from a file that contains several.
  case entry
  /// The destination folder of a generated package.
  case destination
  /// The filters to apply to images.
  case filters
  /// A search for the preprocessing of pixels.
  case findsPreparation
  /// Folding of two networks before they are compared.
  case folds
  /// Folding of batch normalisation during a conversion.
  case foldsBatchNormalization
  /// Overwriting of existing output.
  case force
  /// The containers to write.
  case formats
  /// The input file for goldens.
  case goldenInputs
  /// An option for reading one of the sources, with its value.
  indirect case given(Remedy, String, Side)
  /// Goldens.
  case goldens
  /// The caller's own images.
  case images
  /// Reading the codes of quantised weights.
  case rawCodes
  /// The graph nodes to use as inputs.
  case graphInput
  /// The graph nodes to use as outputs.
  case graphOutput
  /// The size of axes that a model leaves open.
  case length
  /// The input data of a network.
  case input
  /// The output that the targets belong to, of a network with several.
  case judgedOutput
  /// The list of tensors that an inspection prints.
  case inspectTensors
  /// Tensors that keep the source's order.
  case keep
  /// The labels of the caller's own images.
  case labels
  /// The layouts of single tensors.
  case layouts
  /// A conversion that writes goldens.
  case makeGoldens
  /// The maximum number of images to use.
  case limit
  /// The maximum acceptable error.
  case maximumError
  /// The metric for the predictions.
  case metric
  /// The minimum acceptable accuracy.
  case minimumAccuracy
  /// The minimum acceptable agreement.
  case minimumAgreement
  /// The minimum acceptable coefficient of determination.
  case minimumR2
  /// The offset to add to pixels.
  case offset
  /// The caller's own images and labels.
  case ownData
  /// The folder that a probe was written to.
  case probeFolder
  /// Reference activations to compare with.
  case reference
  /// Replacement names for the variables of a checkpoint.
  case renames
  /// Replacement operators for layers.
  case replacements
  /// Rules that make tensors from others.
  case rules
  /// The scale to multiply pixels by.
  case scale
  /// A conversion of several sources.
  case severalSources
  /// Treat a tensor without a known layout as an error.
  case strict
  /// Keep the source's layout for a tensor without a known one.
  case notStrict
  /// The maximum size of a file of shards.
  case shardSize
  /// A range of values for a filter's parameter.
  case sweep
  /// The target that weights are converted for.
  case target
  /// The threshold above which a single output means class 1.
  case threshold
  /// Read the weights without the graph.
  case weightsOnly

  /// The source that an option applies to, of two.
  public enum Side: Sendable, Hashable {
    /// Both sources, as far as the option applies to each.
    case both
    /// The reference source.
    case reference
    /// The second source.
    case second
  }
}

extension Remedy: CustomStringConvertible {
  /// The wording for Swift programs, usually a property of a request.
  public var description: String {
    switch self {
    case .allowOverflow: "'allowOverflow'"
    case .against: "against"
    case .architecture, .architectureFile: "'architecture'"
    case .bindings: "'bindings' of the architecture"
    case .configuration: "'configuration' of the rules"
    case .keep: "'keep'"
    case .layouts: "'layouts'"
    case .rules: "'rules'"
    case .convention: "'convention' of the architecture"
    case .code: "'code'"
    case .scaffold: "'scaffold'"
    case .convertWeightsOnly: "a conversion with 'weightsOnly'"
    case .destination: "'destination'"
    case .elementType: "'elementType'"
    case .elementTypeOf(let layer, let type): "\(type.rawValue) for \(quoted(layer))"
    case .elementTypeRules: "'elementTypeRules'"
    case .entry: "'entry'"
    case .rawCodes: "'readsCodes'"
    case .filters: "'filters'"
    case .findsPreparation: "'findsPreparation'"
    case .folds: "'folds'"
    case .foldsBatchNormalization: "'foldsBatchNormalization'"
    case .force: "'force'"
    case .formats: "'formats'"
    case .given(let remedy, let value, _): "\(remedy) \(quoted(value))"
    case .goldenInputs: "'inputs' of the goldens"
    case .goldens, .makeGoldens: "'goldens'"
    case .images: "images in 'data'"
    case .graphInput: "'graph.inputs'"
    case .graphOutput: "'graph.outputs'"
    case .input: "arrays in 'data'"
    case .length: "a size for open axes"
    case .judgedOutput: "'output'"
    case .inspectTensors: "'tensors' of an inspection"
    case .labels: "'labels'"
    case .limit: "'limit'"
    case .maximumError: "'maximumError'"
    case .metric: "'metric'"
    case .minimumAccuracy: "'minimumAccuracy'"
    case .minimumAgreement: "'minimumAgreement'"
    case .minimumR2: "'minimumR2'"
    case .offset: "'offset'"
    case .ownData: "images and labels in 'data'"
    case .probeFolder: "its folder"
    case .reference: "'reference'"
    case .renames: "'renames'"
    case .replacements: "'replacements'"
    case .scale: "'scale'"
    case .shardSize: "'shardSize'"
    case .severalSources: "a request for each"
    case .strict: "'strict'"
    case .notStrict: "'strict' = false"
    case .sweep: "'sweep'"
    case .target: "'target'"
    case .threshold: "'threshold'"
    case .weightsOnly: "'weightsOnly'"
    }
  }
}
