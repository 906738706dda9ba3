import Files
import ModelIR
import ProtocolBuffers

/// A Core ML model: what it is, its inputs and outputs, and its program.
///
/// Source: coremltools, mlmodel/format/Model.proto.
struct CoreMLModel {
  /// The numbers of fields of `Model` that say what a model is, and of which the reader knows more than the name.
  private enum Number: Int {
    case version = 1
    case description = 2
    case program = 502
  }

  /// The specification version.
  private(set) var version = 0
  /// The inputs and outputs, as the model describes them.
  private(set) var features = CoreMLFeatures()
  /// The program; `nil` for another kind of model.
  private(set) var program: CoreMLProgram?
  /// The neural network; `nil` for another kind of model.
  private(set) var network: WireMessage?
  /// The kind of the model, with its article.
  private(set) var kind = "a model without a type"

  /// Parses a model; arrays stay in the file.
  ///
  /// - Parameter weights: the files with arrays.
  init(_ message: WireMessage, weights: CoreMLWeightFiles) throws(NetconvError) {
    var model: (version: Int, features: CoreMLFeatures) = (0, CoreMLFeatures())
    var (program, network): (CoreMLProgram?, WireMessage?) = (nil, nil)
    var kind = "a model without a type"
    try message.forEachField { field throws(NetconvError) in
      switch Number(rawValue: field.number) {
      case .version: model.version = try field.integer()
      case .description:
        model.features = try CoreMLFeatures(field.inner("ModelDescription"))
      case .program:
        program = try CoreMLProgram(field.inner("Program"), weights)
        kind = "an ML Program"
      case nil:
        if let name = Self.networks[field.number] {
          network = try field.inner("NeuralNetwork")
          kind = name
        } else if let name = Self.others[field.number] {
          kind = name
        }
      }
    }
    (version, features, self.program, self.network) = (
      model.version, model.features, program, network
    )
    self.kind = kind
  }

  private static let networks = [
    303: "a neural network regressor", 403: "a neural network classifier", 500: "a neural network",
  ]

  /// Kinds of models that are no networks, or several of them.
  private static let others = [
    200: "a pipeline classifier", 201: "a pipeline regressor", 202: "a pipeline",
    300: "a generalised linear regressor", 301: "a support vector regressor",
    302: "a tree ensemble regressor", 304: "a Bayesian probit regressor",
    400: "a generalised linear classifier", 401: "a support vector classifier",
    402: "a tree ensemble classifier", 404: "a nearest neighbour classifier",
    501: "an item similarity recommender", 555: "a custom model", 556: "a linked model",
    560: "a threshold of confidences", 600: "a one-hot encoder", 601: "an imputer",
    602: "a feature vectoriser", 603: "a dictionary vectoriser", 604: "a scaler",
    606: "a mapping of categories", 607: "a normaliser", 609: "an extractor of array features",
    610: "a non-maximum suppression", 900: "an identity", 2000: "a text classifier",
    2001: "a word tagger", 2002: "a vision feature print",
    2003: "a preprocessing of sound", 2004: "a gazetteer", 2005: "a word embedding",
    2006: "an audio feature print", 3000: "a serialised model",
  ]
}

/// The inputs and outputs of a model.
///
/// Source: coremltools, mlmodel/format/Model.proto, `ModelDescription`; FeatureTypes.proto.
struct CoreMLFeatures {
  /// An input or an output.
  struct Feature {
    var name = ""
    /// The shape of an array; `nil` for an image, or anything else.
    var shape: [Int]?
    /// The channels, height and width of an image.
    var image: [Int]?
    /// True for a 32-bit integer array.
    var isInteger = false
  }

  private(set) var inputs: [Feature] = []
  private(set) var outputs: [Feature] = []

  init() {}

  init(_ message: WireMessage) throws(NetconvError) {
    var (inputs, outputs): ([Feature], [Feature]) = ([], [])
    try message.forEachField { field throws(NetconvError) in
      switch field.number {
      case 1: inputs.append(try Feature(field.inner("FeatureDescription")))
      case 10: outputs.append(try Feature(field.inner("FeatureDescription")))
      default: break
      }
    }
    (self.inputs, self.outputs) = (inputs, outputs)
  }
}

extension CoreMLFeatures.Feature {
  init(_ message: WireMessage) throws(NetconvError) {
    var feature = CoreMLFeatures.Feature()
    try message.forEachField { field throws(NetconvError) in
      switch field.number {
      case 1: feature.name = try field.text()
      case 3:
        try field.inner("FeatureType").forEachField { field throws(NetconvError) in
          switch field.number {
          case 4: feature.image = try Self.image(field.inner("ImageFeatureType"))
          case 5:
            (feature.shape, feature.isInteger) = try Self.array(field.inner("ArrayFeatureType"))
          default: break
          }
        }
      default: break
      }
    }
    self = feature
  }

  private static func image(_ message: WireMessage) throws(NetconvError) -> [Int] {
    var (width, height, color) = (0, 0, 0)
    try message.forEachField { field throws(NetconvError) in
      switch field.number {
      case 1: width = try field.integer()
      case 2: height = try field.integer()
      case 3: color = try field.integer()
      default: break
      }
    }
    // Grey images have 10 and 40 as their colour space.
    return [color == 10 || color == 40 ? 1 : 3, height, width]
  }

  private static func array(_ message: WireMessage) throws(NetconvError) -> ([Int], Bool) {
    var (shape, type) = ([Int](), 0)
    try message.forEachField { field throws(NetconvError) in
      switch field.number {
      case 1: try field.forEachInteger { shape.append($0) }
      case 2: type = try field.integer()
      default: break
      }
    }
    return (shape, type == 0x20020)
  }
}
