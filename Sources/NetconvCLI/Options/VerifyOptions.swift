import ArgumentParser
import ModelIR
import NetconvKit

/// The samples for `verify`.
struct SampleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Images or other samples: IDX (plain or gzip) or .npy; an .npz with x_test and y_test; or pictures, as a folder of class folders or a .csv file. (default: the MNIST test set)",
      valueName: "file"),
    completion: .file())
  var images: String?

  @Option(
    help: ArgumentHelp(
      "The class of each image, or the targets of each sample: IDX (plain or gzip) or .npy. For pictures, the names of the classes in order: text or JSON. (default: y_test; for pictures, the names of the folders)",
      valueName: "file"),
    completion: .file())
  var labels: String?

  @Option(
    help: ArgumentHelp(
      "The output that the labels or targets belong to, by the name of its layer. (default: the only one)",
      valueName: "name"))
  var layer: String?

  @Option(help: ArgumentHelp("Run only the first N images. (default: all)", valueName: "n"))
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "Run only part I of N of the samples; netconv merge merges the reports. Needs --json. (default: all)",
      valueName: "i/n"), transform: Shard.parsed)
  var shard: Shard?

  func validate() throws {
    try checkPaths(("--images", images), ("--labels", labels))
    if labels != nil, images == nil { throw ValidationError("--labels needs --images") }
    if let images, labels == nil, !images.hasSuffix(".npz"), !VerifyRequest.Data.arePictures(images)
    {
      throw ValidationError(
        "--images needs --labels, unless it is an .npz with x_test and y_test, a folder of pictures, or a .csv file"
      )
    }
    if let limit, limit < 1 { throw ValidationError("--limit \(limit) is less than 1") }
  }

  /// The options, and whether each is given.
  var given: [(name: String, isThere: Bool)] {
    [
      ("--images", images != nil), ("--labels", labels != nil), ("--layer", layer != nil),
      ("--limit", limit != nil), ("--shard", shard != nil),
    ]
  }

  /// The selected data; `nil` for the built-in test set.
  var data: VerifyRequest.Data? {
    images.map { images in
      VerifyRequest.Data.arePictures(images)
        ? .pictures(images, labels: labels)
        : labels.map { .files(images: images, labels: $0) } ?? .archive(images)
    }
  }
}

/// The variations of preprocessing that `verify` tries.
struct TrialOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Show the accuracy for each value of a filter's parameter, such as blur=0:4:0.5.",
      valueName: "range")
  )
  var sweep: String?

  @Flag(
    help: ArgumentHelp(
      "Try the usual preparations of pixels on at most 300 images, and name the best one; it is not applied."
    ))
  var findPreparation = false

  /// The options, and whether each is given.
  var given: [(name: String, isThere: Bool)] {
    [("--sweep", sweep != nil), ("--find-preparation", findPreparation)]
  }
}

/// The metric of `verify` and its limits.
struct MetricOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The metric: accuracy for classes, or mae, mse, rmse or r2 for quantities. (default: accuracy)",
      valueName: "metric"))
  var metric: Metric?

  @Option(
    // The value may be negative.
    parsing: .unconditional,
    help: ArgumentHelp(
      "A single output above T means class 1, any other class 0. (default: 0.5 after a sigmoid, 0 without an activation)",
      valueName: "t"))
  var threshold: Double?

  @Option(
    help: ArgumentHelp(
      "Exit with 1 if the accuracy, a fraction from 0 to 1, is below P.", valueName: "p"))
  var minAccuracy: Double?

  @Option(
    // Accepts negative values, so that they are rejected with a reason.
    parsing: .unconditional,
    help: ArgumentHelp(
      "Exit with 1 if the mae, mse or rmse is above E.", valueName: "e"))
  var maxError: Double?

  @Option(
    // The value may be negative.
    name: .customLong("min-r2"), parsing: .unconditional,
    help: ArgumentHelp("Exit with 1 if the r2 is below R.", valueName: "r"))
  var minR2: Double?

  @Flag(
    help: ArgumentHelp(
      "Do not exit with 1 only because predictions, or all values of a layer, are infinite or NaN."
    ))
  var allowNotFinite = false

  @Flag(help: "Show how often each class was predicted for each other class.")
  var confusion = false

  func validate() throws {
    if let minAccuracy, !(0...1).contains(minAccuracy) {
      throw ValidationError(
        "--min-accuracy \(minAccuracy) is not a fraction from 0 to 1; 99 % is 0.99")
    }
    if let maxError, !(maxError >= 0 && maxError.isFinite) {
      throw ValidationError("--max-error \(maxError) is not a number from 0 up")
    }
    if let threshold, !threshold.isFinite {
      throw ValidationError("--threshold \(threshold) is not finite")
    }
    if let minR2, !(minR2 <= 1 && minR2.isFinite) {
      throw ValidationError("--min-r2 \(minR2) is not a number up to 1")
    }
    try check(
      [("--max-error", maxError != nil)], needs: "--metric mae, mse or rmse",
      metric?.isError ?? false)
    try check([("--min-r2", minR2 != nil)], needs: "--metric r2", metric == .r2)
    try check(ofClasses, needs: "--metric accuracy", !(metric?.isOfQuantities ?? false))
  }

  /// The options for classification, and whether each is given.
  private var ofClasses: [(name: String, isThere: Bool)] {
    [
      ("--threshold", threshold != nil), ("--min-accuracy", minAccuracy != nil),
      ("--confusion", confusion),
    ]
  }

  /// The options for samples with labels or targets, and whether each is given.
  var given: [(name: String, isThere: Bool)] {
    ofClasses + [
      ("--metric", metric != nil), ("--max-error", maxError != nil), ("--min-r2", minR2 != nil),
    ]
  }
}

/// The reference with which `verify` compares layers.
struct ReferenceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Compare every layer with that of another model, usually the source.", valueName: "source"),
    completion: .file())
  var against: String?

  @Option(
    help: ArgumentHelp(
      "Compare every layer with activations saved elsewhere: arrays named like layers and inputs.",
      valueName: "npz"),
    completion: .file(extensions: ["npz"]))
  var reference: String?

  @Option(
    help: ArgumentHelp(
      "The number of samples for --against; fewer if layers are large. (default: 32)",
      valueName: "n"))
  var samples: Int?

  @Option(
    help: ArgumentHelp(
      "The largest allowed difference of a layer, as a fraction of its largest value. (default: from its types and sums)",
      valueName: "t"))
  var tolerance: Double?

  @Option(
    help: ArgumentHelp(
      "Exit with 1 if a smaller fraction of predictions agrees with --against.", valueName: "p"))
  var minAgreement: Double?

  @Flag(
    help: ArgumentHelp(
      "Run the inputs that convert --goldens stored, and compare every layer; exit with 1 if one differs."
    ))
  var goldens = false

  func validate() throws {
    try checkPaths(("--against", against), ("--reference", reference))
    if against != nil, reference != nil {
      throw ValidationError("--against and --reference exclude each other; pass one")
    }
    try check(
      [("--samples", samples != nil), ("--min-agreement", minAgreement != nil)],
      needs: "--against", against != nil || goldens)
    try check(
      [("--tolerance", tolerance != nil)], needs: "--against or --reference",
      against != nil || reference != nil || goldens)
    if let minAgreement, !(0...1).contains(minAgreement) {
      throw ValidationError(
        "--min-agreement \(minAgreement) is not a fraction from 0 to 1; 99 % is 0.99")
    }
    if let samples, samples < 1 { throw ValidationError("--samples \(samples) is less than 1") }
    if let tolerance, !(tolerance >= 0 && tolerance.isFinite) {
      throw ValidationError("--tolerance \(tolerance) is not a number from 0 up")
    }
  }

  /// The options except `--goldens`, and whether each is given.
  var given: [(name: String, isThere: Bool)] {
    [
      ("--against", against != nil), ("--reference", reference != nil),
      ("--samples", samples != nil), ("--tolerance", tolerance != nil),
      ("--min-agreement", minAgreement != nil),
    ]
  }

  /// The reference; `nil` for none.
  var request: VerifyRequest.Reference? {
    against.map { .model($0) } ?? reference.map { .activations($0) }
  }
}
