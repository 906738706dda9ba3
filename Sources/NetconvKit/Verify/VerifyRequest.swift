import Execution
import Files
import Lowering
import ModelIR

/// A model to verify, with the data and settings to use.
public struct VerifyRequest: Sendable {
  /// Images, or other samples, with labels or other targets.
  public enum Data: Sendable, Equatable {
    /// The MNIST test set that is embedded in the program.
    case mnist
    /// Two files: IDX, plain or compressed with gzip, or `.npy`.
    case files(images: String, labels: String)
    /// One `.npz` file with `x_test` and `y_test`.
    case archive(String)
    /// A folder with a folder of pictures for each class, or a `.csv` file with paths and classes; and optionally a
    /// file with the names of the classes in order.
    case pictures(String, labels: String?)

    /// True if a path names pictures with classes: a folder, or a CSV file.
    public static func arePictures(_ path: String) -> Bool {
      path.hasSuffix(".csv") || Directory.isDirectory(path)
    }

    /// The files of the images and of the labels; `nil` for the embedded test set.
    var paths: (images: String, labels: String)? {
      switch self {
      case .mnist: nil
      case .files(let images, let labels): (images, labels)
      case .archive(let path): (path, path)
      case .pictures(let path, let labels): (path, labels ?? path)
      }
    }
  }

  /// The reference to compare layers with.
  public enum Reference: Sendable, Equatable {
    /// Another model that netconv can read, usually the source of the conversion.
    case model(String)
    /// An `.npz` file of activations saved by a framework, in arrays named after layers and inputs.
    case activations(String)

    /// The path of the reference.
    var path: String {
      switch self {
      case .model(let path), .activations(let path): path
      }
    }
  }

  /// The path of a model in any format that netconv reads.
  public var path: String
  /// Options for reading the model, and a reference model as far as its format accepts them.
  public var options = SourceOptions()
  /// Options for reading the reference model, which override ``options``.
  public var referenceOptions = SourceOptions()
  /// Operators that replace layers that cannot be read, as `LAYER=OPERATOR(attribute: value, …)`.
  ///
  /// They also apply to a reference model, whose default is the replacements in the manifest of ``path``.
  public var replacements: [String] = []
  /// The data to run the model on.
  public var data = Data.mnist
  /// The factor that pixels are multiplied by.
  ///
  /// With it or ``offset``, no other preprocessing is applied; by default ``PixelPreparation`` decides.
  public var scale: Double?
  /// The value that is added to scaled pixels.
  public var offset: Double?
  /// Filters to apply to pixels, as text (`blur=2.5`).
  ///
  /// They replace the filters that the model records, except for the encoding of values, unless a filter sets it.
  public var filters: [String] = []
  /// A filter with a range of values for its parameter, `blur=0:4:0.5`; the accuracy is measured for each value.
  public var sweep: String?
  /// True to try the usual preparations of pixels too; they affect no other result.
  public var findsPreparation = false
  /// The name of the output to evaluate; required if the network has several.
  public var output: String?
  /// The value above which a single output means class 1; by default that of a sigmoid or a logit, depending on the
  /// last layer.
  public var threshold: Double?
  /// The number of images to run, starting with the first; all by default.
  public var limit: Int?
  /// The metric, by default the accuracy; targets that are not classes need a metric of quantities.
  public var metric: Metric?
  /// The error above which the verification fails, in the units of ``metric``, which must be an error.
  public var maximumError: Double?
  /// The coefficient of determination below which the verification fails; ``metric`` must be `r2`.
  public var minimumR2: Double?
  /// The accuracy, as a fraction, below which the verification fails.
  public var minimumAccuracy: Double?
  /// True to accept predictions that are infinite or NaN, and layers in which no value is finite in either of two
  /// compared networks; otherwise the verification fails.
  public var allowsNotFinite = false
  /// The engine that runs the model.
  public var engine = EngineKind.fast
  /// The precision of the run.
  public var precision = Precision.float32
  /// The reference to compare layers with; none by default.
  public var reference: Reference?
  /// The number of samples for comparing layers with a reference model; fewer if layers are large.
  public var samples = 32
  /// The tolerance of each layer, relative to its largest value; by default it is derived from the types and sums in
  /// the layer.
  public var tolerance: Double?
  /// The fraction of predictions equal to the reference model's, below which the verification fails.
  public var minimumAgreement: Double?
  /// True if the report is to be written as a page.
  public var forPage = false

  /// The shard of the samples to run; all samples by default.
  public var shard: Shard?

  /// True if the reference is another model.
  var comparesModels: Bool { if case .model = reference { true } else { false } }

  /// The metric if it is one of quantities; otherwise `nil`.
  var regressionMetric: Metric? { metric.flatMap { $0.isOfQuantities ? $0 : nil } }

  /// Checks that the requested limits apply to the metric.
  ///
  /// - Throws: `usage`.
  func checkMetric() throws(NetconvError) {
    let isError = metric?.isError ?? false
    if maximumError != nil, !isError { throw .needsMetric(.maximumError, "mae, mse or rmse") }
    if minimumR2 != nil, metric != .r2 { throw .needsMetric(.minimumR2, "r2") }
    guard let metric = regressionMetric else { return }
    let ofClasses: [(Remedy, isThere: Bool)] = [
      (.minimumAccuracy, minimumAccuracy != nil), (.minimumAgreement, minimumAgreement != nil),
      (.findsPreparation, findsPreparation), (.threshold, threshold != nil),
    ]
    if let other = ofClasses.first(where: \.isThere) { throw .needsMetric(other.0, "accuracy") }
    if data == .mnist { throw .noQuantities(metric) }
    if case .activations? = reference { throw .noQuantities(metric) }
  }

  /// Creates a request to verify `path`, with the defaults of the command line.
  public init(path: String) {
    self.path = path
  }
}

extension NetconvError {
  fileprivate static func needsMetric(_ setting: Remedy, _ metrics: String) -> NetconvError {
    NetconvError(.usage, text: "\(setting) needs \(.metric) \(metrics)")
  }

  fileprivate static func noQuantities(_ metric: Metric) -> NetconvError {
    NetconvError(
      .usage,
      text: "\(.metric) \(metric.rawValue) needs samples with targets of your own, \(.ownData)")
  }
}
