import Execution
import ModelIR

/// What is to be run, and on what arrays.
public struct RunRequest: Sendable {
  /// Anything that netconv reads.
  public var path: String
  /// What the model is run on.
  public enum Data: Sendable, Equatable {
    /// A file, `.npy` or `.npz`; the first axis of each array is the batch.
    case arrays(String)
    /// Files of pictures, PNG, JPEG, PGM or PPM, arrays of images in IDX or `.npy`, and folders with files of pictures.
    case pictures([String])

    /// The files and folders.
    var paths: [String] {
      switch self {
      case .arrays(let path): [path]
      case .pictures(let paths): paths
      }
    }
  }

  /// What it is run on.
  public var data: Data
  /// How it is read.
  public var options = SourceOptions()
  /// Operators in the place of layers that cannot be read, as `LAYER=OPERATOR(attribute: value, …)`.
  public var replacements: [String] = []
  /// What pixels are multiplied by.
  ///
  /// With it or ``offset`` nothing else is done to them; by default ``PixelPreparation`` decides about arrays of
  /// bytes, and all others are fed as they are.
  public var scale: Double?
  /// What is added to scaled pixels.
  public var offset: Double?
  /// What is done to pixels, as text of filters (`blur=2.5`), with `NAME:` in front for one of several inputs.
  ///
  /// They take the place of what the model records, but for how values are encoded, unless a filter says that.
  public var filters: [String] = []
  /// A file with the names of classes, for pictures.
  public var labels: String?
  /// How many classes are told for each picture, the likeliest first.
  public var top = 5
  /// Where the outputs go: an `.npz` file, or `.npy` for a single output; nowhere by default.
  public var output: String?
  /// Whether ``output`` may replace an `.npy` or `.npz` file that is none of the inputs.
  public var force = false
  /// Layers whose outputs are wanted besides the model's.
  public var layers: [String] = []
  /// In whose order of axes the outputs are.
  public var axes = OutputAxes.source
  /// What runs the model.
  public var engine = EngineKind.fast
  /// Where values are rounded.
  public var precision = Precision.float32
  /// How often the model is run to take its time, after a warm-up; not at all by default.
  public var repetitions: Int?

  /// A run of `path` on the arrays of `input` with the defaults of the command line.
  public init(path: String, input: String) {
    self.init(path: path, data: .arrays(input))
  }

  /// A run of `path` with the defaults of the command line.
  public init(path: String, data: Data) {
    self.path = path
    self.data = data
  }
}

/// In whose order of axes outputs are, where a source with channels first is run with channels last.
public enum OutputAxes: String, Sendable, CaseIterable {
  /// The source's: channels first.
  case source
  /// That of the layers inside the model: channels last.
  case model
}

/// What a run gave.
public struct RunReport: Report {
  /// The name of its schema.
  public static let schema = "run"

  /// What was run, as it was named.
  public let path: String
  /// The engine that ran it.
  public let engine: String
  /// The precision it was run in.
  public let precision: String
  /// Samples in the batch.
  public let batch: Int
  /// What was fed, in the order of the model's inputs.
  public let inputs: [Input]
  /// The outputs of the model, then the layers that were asked for.
  public let outputs: [Row]
  /// What the network says of each picture; `nil` of arrays.
  public let pictures: [Picture]?
  /// Where they were written.
  public let output: String?
  /// The median time of a run, if that was asked for.
  public let medianMilliseconds: Double?

  /// An input.
  public struct Input: Sendable, Encodable {
    /// What the model calls it.
    public let name: String
    /// Of the array, with the batch as its first axis.
    public let shape: [Int]
    /// How the array stores a value.
    public let dtype: String
    /// Values that are infinite or not a number.
    public let nonFinite: Int
    /// Which order its axes have, `channelsFirst` or `channelsLast`; `nil` where the input takes one alone.
    public let axes: String?
    /// True if arrays were fed row by row, as plain vectors; else `nil`.
    public let rowByRow: Bool?
    /// What was done to pixels, and why; `nil` for what is no image.
    public let pixels: PixelPreparation?
  }

  /// An output.
  public struct Row: Sendable, Encodable {
    /// The layer.
    public let name: String
    /// With the batch as its first axis.
    public let shape: [Int]
    /// The smallest value, `null` if there is none that is finite.
    public let min: Double?
    /// The largest value, `null` if there is none that is finite.
    public let max: Double?
    /// Values that are infinite or not a number.
    public let nonFinite: Int
    /// Which order its axes have, `channelsFirst` or `channelsLast`; `nil` where that is the same in source and model.
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
