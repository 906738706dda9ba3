import Execution
import Files
import ModelIR

/// What is to be verified, and on what data.
public struct VerifyRequest: Sendable {
  /// Images, or other samples, with labels or other targets.
  public enum Data: Sendable, Equatable {
    /// The MNIST test set that is part of the program.
    case mnist
    /// Two files: IDX (plain or gzip) or `.npy`.
    case files(images: String, labels: String)
    /// One `.npz` with `x_test` and `y_test`.
    case archive(String)
    /// A folder that has a folder of pictures for each class, or a `.csv` with paths and classes; and a file with the names of
    /// the classes in their order, if there is one.
    case pictures(String, labels: String?)

    /// Whether a path names pictures with their classes: a folder, or a list in CSV.
    public static func arePictures(_ path: String) -> Bool {
      path.hasSuffix(".csv") || Directory.isDirectory(path)
    }

    /// The files of the images and of the labels; none for what is part of the program.
    var paths: (images: String, labels: String)? {
      switch self {
      case .mnist: nil
      case .files(let images, let labels): (images, labels)
      case .archive(let path): (path, path)
      case .pictures(let path, let labels): (path, labels ?? path)
      }
    }
  }

  /// What the layers are compared with.
  public enum Reference: Sendable, Equatable {
    /// Another model, usually the one that was converted; anything that netconv reads.
    case model(String)
    /// An `.npz` of activations that some framework saved: arrays called like the layers and inputs.
    case activations(String)

    /// Where it is.
    var path: String {
      switch self {
      case .model(let path), .activations(let path): path
      }
    }
  }

  /// Anything that netconv reads.
  public var path: String
  /// How it is read; a model to compare with too, as far as the formats of both take it.
  public var options = SourceOptions()
  /// How the model to compare with is read, as far as that is another way.
  public var referenceOptions = SourceOptions()
  /// Operators in the place of layers that cannot be read, as `LAYER=OPERATOR(attribute: value, …)`; those of a model to
  /// compare with too, which by default are those that the manifest of ``path`` says.
  public var replacements: [String] = []
  /// What it is run on.
  public var data = Data.mnist
  /// What pixels are multiplied by.
  ///
  /// With it or ``offset`` nothing else is done to them; by default ``PixelPreparation`` decides.
  public var scale: Double?
  /// What is added to scaled pixels.
  public var offset: Double?
  /// What is done to pixels, as text of filters (`blur=2.5`).
  ///
  /// They take the place of what the model records, but for how values are encoded, unless a filter says that.
  public var filters: [String] = []
  /// A filter with a range of parameters, `blur=0:4:0.5`: the accuracy is taken for each.
  public var sweep: String?
  /// Whether the usual preparations of pixels are tried too; none of them is used for anything else.
  public var findsPreparation = false
  /// The output that is judged, by the name of its layer; a network with several needs it.
  public var output: String?
  /// The value above which a single output means class 1; by default that of a sigmoid or a logit, as the network ends.
  public var threshold: Double?
  /// The number of images to run, the first ones; all by default.
  public var limit: Int?
  /// What is measured, by default the accuracy; targets that are no classes need a metric of quantities.
  public var metric: Metric?
  /// The error above which the verdict is no, in the units of ``metric``, which is an error.
  public var maximumError: Double?
  /// The coefficient of determination below which the verdict is no; ``metric`` is `r2`.
  public var minimumR2: Double?
  /// The accuracy below which the verdict is no, as a fraction.
  public var minimumAccuracy: Double?
  /// Whether predictions may be infinite or not a number, and layers such that no value of them is finite in both
  /// networks that are compared; if not, the verdict is no.
  public var allowsNotFinite = false
  /// What runs the model.
  public var engine = EngineKind.fast
  /// Where values are rounded.
  public var precision = Precision.float32
  /// What each layer is compared with; nothing by default.
  public var reference: Reference?
  /// Samples that are taken through every layer of a model to compare with; fewer where layers are large.
  public var samples = 32
  /// The tolerance of each layer, as a fraction of its largest value; by default it follows from the types and sums
  /// that the layer is made of.
  public var tolerance: Double?
  /// The fraction of predictions equal to those of the model compared with below which the verdict is no.
  public var minimumAgreement: Double?
  /// Whether the report is to be written as a page.
  public var forPage = false

  /// Which of several equal parts of the samples are run; all of them by default.
  public var shard: Shard?

  /// Whether there is another model to compare with.
  var comparesModels: Bool { if case .model = reference { true } else { false } }

  /// The metric, if it is one of quantities.
  var regressionMetric: Metric? { metric.flatMap { $0.isOfQuantities ? $0 : nil } }

  /// Checks that what is asked for is something that the metric has.
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

  /// A verification of `path` with the defaults of the command line.
  public init(path: String) {
    self.path = path
  }
}
