/// Something that a caller of netconv can ask for, leave out or do, as far as messages speak of it.
///
/// A library does not know how its caller is told what to do: the command line has options, a program in Swift has the
/// properties of a request. So a ``Message`` carries the remedy itself, and the program that shows the message words it.
public enum Remedy: Sendable, Hashable {
  /// That overflows become infinite.
  case allowOverflow
  /// What a result is compared with.
  case against
  /// The architecture, for files that hold only weights.
  case architecture
  /// The file that the architecture is in.
  case architectureFile
  /// Which tensors are which parameters.
  case bindings
  /// Whose names and layouts tensors have.
  case convention
  /// The file for emitted code.
  case code
  /// A first draft of a graph for weights.
  case scaffold
  /// A conversion of the weights without a graph.
  case convertWeightsOnly
  /// The type of all kernels.
  case elementType
  /// Another type for the kernel of one layer.
  case elementTypeOf(layer: String, ElementType)
  /// Types by patterns of layers.
  case elementTypeRules
  /// Which of several networks in a file is meant.
  case entry
  /// The folder of an emitted package.
  case destination
  /// What is done to pictures.
  case filters
  /// A search for the preparation of pixels.
  case findsPreparation
  /// Folding of two networks that are compared.
  case folds
  /// Folding of a network that is converted.
  case foldsBatchNormalization
  /// That an earlier output is replaced.
  case force
  /// Which containers are written.
  case formats
  /// The file with inputs for goldens.
  case goldenInputs
  /// What was asked for of how a source is read, with its value.
  indirect case given(Remedy, String, Side)
  /// Goldens.
  case goldens
  /// Images of the caller's own.
  case images
  /// Quantised weights as their codes.
  case rawCodes
  /// The nodes of a graph that are fed.
  case graphInput
  /// The nodes of a graph that are asked for.
  case graphOutput
  /// What a network is fed with.
  case input
  /// The output of several that targets are for.
  case judgedOutput
  /// The list of tensors of an inspection.
  case inspectTensors
  /// The labels of the caller's images.
  case labels
  /// A conversion that makes goldens.
  case makeGoldens
  /// A bound of how many images are taken.
  case limit
  /// The largest error that will do.
  case maximumError
  /// What is measured of predictions.
  case metric
  /// The least accuracy that will do.
  case minimumAccuracy
  /// The least agreement that will do.
  case minimumAgreement
  /// The least coefficient of determination that will do.
  case minimumR2
  /// What is added to pixels.
  case offset
  /// Images and labels of the caller's own.
  case ownData
  /// The folder that a probe was written to.
  case probeFolder
  /// Activations to compare with.
  case reference
  /// Other names for the variables of a checkpoint.
  case renames
  /// Operators in the place of layers.
  case replacements
  /// What pixels are multiplied by.
  case scale
  /// A conversion of several sources.
  case severalSources
  /// That a tensor without a layout is an error.
  case strict
  /// That a tensor without a layout keeps the source's.
  case notStrict
  /// A range for a parameter of a filter.
  case sweep
  /// Whom weights are converted for.
  case target
  /// The value above which a single output means class 1.
  case threshold
  /// That no graph is wanted.
  case weightsOnly

  /// Which of two sources is meant.
  public enum Side: Sendable, Hashable {
    /// Both, as far as each takes it.
    case both
    /// The one that is compared with.
    case reference
    /// The second of two.
    case second
  }
}

extension Remedy: CustomStringConvertible {
  /// How a program in Swift says it, mostly by a property of a request.
  public var description: String {
    switch self {
    case .allowOverflow: "'allowOverflow'"
    case .against: "against"
    case .architecture, .architectureFile: "'architecture'"
    case .bindings: "'bindings' of the architecture"
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
