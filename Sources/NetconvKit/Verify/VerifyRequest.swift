import Execution
import ModelIR

/// What is to be verified, and on what data.
public struct VerifyRequest: Sendable {
  /// Images with labels.
  public enum Data: Sendable, Equatable {
    /// The MNIST test set that is part of the program.
    case mnist
    /// Two files: IDX (plain or gzip) or `.npy`.
    case files(images: String, labels: String)
    /// One `.npz` with `x_test` and `y_test`.
    case archive(String)

    /// The files of the images and of the labels; none for what is part of the program.
    var paths: (images: String, labels: String)? {
      switch self {
      case .mnist: nil
      case .files(let images, let labels): (images, labels)
      case .archive(let path): (path, path)
      }
    }
  }

  /// Anything that netconv reads.
  public var path: String
  /// A file with the architecture, for sources that hold only weights.
  public var architecture: String?
  /// What it is run on.
  public var data = Data.mnist
  /// What pixels are multiplied by; by default what the model records, else 1/255.
  public var scale: Double?
  /// What is added to scaled pixels; by default what the model records, else 0.
  public var offset: Double?
  /// The number of images to run, the first ones; all by default.
  public var limit: Int?
  /// The accuracy below which the verdict is no, as a fraction.
  public var minimumAccuracy: Double?
  /// What runs the model.
  public var engine = EngineKind.fast

  /// A verification of `path` with the defaults of the command line.
  public init(path: String) {
    self.path = path
  }
}
