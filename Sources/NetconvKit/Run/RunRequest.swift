import Execution
import Lowering
import ModelIR

/// A model to run, with its input data and settings.
public struct RunRequest: Sendable {
  /// The path of a model in any format that netconv reads.
  public var path: String
  /// The data to run a model on.
  public enum Data: Sendable, Equatable {
    /// A file, `.npy` or `.npz`; the first axis of each array is the batch.
    case arrays(String)
    /// Files of pictures (PNG, JPEG, PGM or PPM), arrays of images in IDX or `.npy`, and folders with files of
    /// pictures.
    case pictures([String])

    /// The paths of the files and folders.
    var paths: [String] {
      switch self {
      case .arrays(let path): [path]
      case .pictures(let paths): paths
      }
    }
  }

  /// The data to run the model on.
  public var data: Data
  /// Options for reading the model.
  public var options = SourceOptions()
  /// Operators that replace layers that cannot be read, as `LAYER=OPERATOR(attribute: value, …)`.
  public var replacements: [String] = []
  /// The factor that pixels are multiplied by.
  ///
  /// With it or ``offset``, no other preprocessing is applied. By default ``PixelPreparation`` determines it for
  /// arrays of bytes, and other arrays are fed unchanged.
  public var scale: Double?
  /// The value that is added to scaled pixels.
  public var offset: Double?
  /// Filters to apply to pixels, as text (`blur=2.5`), with the prefix `NAME:` for one of several inputs.
  ///
  /// They replace the filters that the model records, except for the encoding of values, unless a filter sets it.
  public var filters: [String] = []
  /// A file with the names of the classes, for pictures.
  public var labels: String?
  /// The number of classes to report for each picture, most likely first.
  public var top = 5
  /// The output file: `.npz`, or `.npy` for a single output; none by default.
  public var output: String?
  /// True if ``output`` may replace an `.npy` or `.npz` file that is not an input.
  public var force = false
  /// Layers to output besides the model's outputs.
  public var layers: [String] = []
  /// The order of axes of the outputs.
  public var axes = OutputAxes.source
  /// The engine that runs the model.
  public var engine = EngineKind.fast
  /// The precision of the run.
  public var precision = Precision.float32
  /// The number of timed runs, after a warm-up; none by default.
  public var repetitions: Int?

  /// Creates a request to run `path` on the arrays of `input`, with the defaults of the command line.
  public init(path: String, input: String) {
    self.init(path: path, data: .arrays(input))
  }

  /// Creates a request to run `path`, with the defaults of the command line.
  public init(path: String, data: Data) {
    self.path = path
    self.data = data
  }
}

/// The order of axes of outputs, if a source with channels first is run with channels last.
public enum OutputAxes: String, Sendable, CaseIterable {
  /// The order of the source: channels first.
  case source
  /// The order of the layers inside the model: channels last.
  case model
}

/// The results of a run.
public struct RunReport: Report {
  /// The name of the report's schema.
  public static let schema = "run"

  /// The model, as given by the caller.
  public let path: String
  /// The engine that ran the model.
  public let engine: String
  /// The precision of the run.
  public let precision: String
  /// The number of samples in the batch.
  public let batch: Int
  /// The inputs, in the order of the model.
  public let inputs: [Input]
  /// The outputs of the model, followed by the requested layers.
  public let outputs: [Row]
  /// The results for each picture; `nil` for arrays.
  public let pictures: [Picture]?
  /// The file that the outputs were written to.
  public let output: String?
  /// The median time of a run, if it was requested.
  public let medianMilliseconds: Double?

  /// An input.
  public struct Input: Sendable, Encodable {
    /// The name of the input.
    public let name: String
    /// The shape of the array; the first axis is the batch.
    public let shape: [Int]
    /// The dtype of the stored array.
    public let dtype: String
    /// The number of values that are infinite or NaN.
    public let nonFinite: Int
    /// The order of its axes, `channelsFirst` or `channelsLast`; `nil` if the input accepts only one.
    public let axes: String?
    /// True if arrays were fed row by row, as flat vectors; otherwise `nil`.
    public let rowByRow: Bool?
    /// The preprocessing of pixels, and the reasons for it; `nil` if the input is not an image.
    public let pixels: PixelPreparation?
  }

  /// An output.
  public struct Row: Sendable, Encodable {
    /// The name of the output.
    public let name: String
    /// The shape; the first axis is the batch.
    public let shape: [Int]
    /// The smallest finite value; `null` if there is none.
    public let min: Double?
    /// The largest finite value; `null` if there is none.
    public let max: Double?
    /// The number of values that are infinite or NaN.
    public let nonFinite: Int
    /// The order of its axes, `channelsFirst` or `channelsLast`; `nil` if source and model use the same.
    public let axes: String?

    init(_ output: OrderedOutput) {
      let array = output.array
      let finite = array.values.filter(\.isFinite)
      name = output.name
      axes = output.axes?.rawValue
      shape = array.shape
      min = finite.min().map(Double.init)
      max = finite.max().map(Double.init)
      nonFinite = array.count - finite.count
    }
  }
}
