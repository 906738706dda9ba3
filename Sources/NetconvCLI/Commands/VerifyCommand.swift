import ArgumentParser
import ModelIR
import NetconvKit

/// `netconv verify`.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Runs a network on samples with labels or targets, and shows its accuracy or error.",
    discussion: """
      Of a converted folder or archive only what was written there is used, after
      its hashes were checked. With no data named it runs the MNIST test set, which
      is part of the program, on any network that takes 28x28 pixels and gives ten
      classes. Exits with 1 if the accuracy is below --min-accuracy, or if a
      prediction is not finite.

      Samples may be sequences, and have any number of axes: those of x_test behind
      the first are those of the network's input. There is a class for each sample,
      or for each step if the network gives one, as numbers or as rows with a
      single 1. With --metric mae, mse, rmse or r2 the network predicts quantities,
      and there is a target for each value that it gives.

      A folder holds pictures in a folder for each class, a .csv file their paths and
      classes. They are fitted to the input, and what was done to them is printed.

      With --against or --reference each layer is fed with what its inputs should
      be, and compared with what it should give: the first layer beyond its tolerance
      is named, and so is the mistake that explains it. Exits with 1 if there is one.

        netconv verify out/
        netconv verify out/ --min-accuracy 0.99 --confusion
        netconv verify out/ --images test-images.npy --labels test-labels.npy
        netconv verify out/ --images data.npz --metric mae --max-error 0.5
        netconv verify out/ --images photos/
        netconv verify out/ --sweep blur=0:4:0.5
        netconv verify out/ --against ckpt.h5
        netconv verify out/ --reference activations.npz
        netconv verify out/ --shard 1/4 --json > shard-1.json
        netconv verify out/ --against ckpt.h5 --html page.html
      """)

  @Argument(
    help: "What to verify: a converted folder, an archive, or a source.",
    completion: .file())
  var path: String

  @OptionGroup var model: ArchitectureOption

  @OptionGroup(title: "Options for the SOURCE of --against, where it is read otherwise than PATH")
  var ofReference: SideOptions<AgainstSide>

  @OptionGroup var replace: ReplaceOption

  @Option(
    help: ArgumentHelp(
      "Images or other samples: IDX (plain or gzip) or .npy; an .npz with x_test and y_test; or pictures, as a folder of class folders or a .csv file.",
      valueName: "file"),
    completion: .file())
  var images: String?

  @Option(
    help: ArgumentHelp(
      "The class of each image, or the targets of each sample: IDX (plain or gzip) or .npy. For pictures, the names of the classes in their order: text or JSON.",
      valueName: "file"),
    completion: .file())
  var labels: String?

  @OptionGroup var pixels: PixelOptions

  @Option(
    help: ArgumentHelp(
      "Show the accuracy for each parameter of a filter, such as blur=0:4:0.5.", valueName: "range")
  )
  var sweep: String?

  @Flag(
    help: ArgumentHelp(
      "Try the usual preparations of pixels on at most 300 images, and name the one that stands out; none is used."
    ))
  var findPreparation = false

  @Option(help: ArgumentHelp("Run only the first N images.", valueName: "n"))
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "Run only part I of N of the samples; netconv merge makes a report of all parts. Needs --json.",
      valueName: "i/n"))
  var shard: Shard?

  @Option(
    help: ArgumentHelp(
      "Exit with 1 if the accuracy, a fraction from 0 to 1, is below P.", valueName: "p"))
  var minAccuracy: Double?

  @Option(
    help: ArgumentHelp(
      "What is measured: accuracy of classes, or of quantities mae, mse, rmse or r2. (default: accuracy)",
      valueName: "metric"))
  var metric: Metric?

  @Option(
    // So that a negative one is refused with its reason.
    parsing: .unconditional,
    help: ArgumentHelp(
      "Exit with 1 if the mae, mse or rmse is above E.", valueName: "e"))
  var maxError: Double?

  @Option(
    // It may be negative.
    name: .customLong("min-r2"), parsing: .unconditional,
    help: ArgumentHelp("Exit with 1 if the r2 is below R.", valueName: "r"))
  var minR2: Double?

  @Option(
    help: ArgumentHelp(
      "Compare every layer with that of another model, usually the source.", valueName: "source"),
    completion: .file())
  var against: String?

  @Option(
    help: ArgumentHelp(
      "Compare every layer with activations saved elsewhere: arrays named as layers and inputs.",
      valueName: "npz"),
    completion: .file(extensions: ["npz"]))
  var reference: String?

  @Option(
    help: ArgumentHelp(
      "Samples that are taken through every layer with --against; fewer if layers are large. (default: 32)",
      valueName: "n"))
  var samples: Int?

  @Option(
    help: ArgumentHelp(
      "How far a layer may be, as a fraction of its largest value (default: what its types and sums round off).",
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

  @Flag(
    help: ArgumentHelp(
      "Do not exit with 1 only because predictions, or all values of a layer, are infinite or not numbers."
    ))
  var allowNotFinite = false

  @Flag(help: "Show how often each class was taken for each other.")
  var confusion = false

  @OptionGroup var engine: EngineOption

  @OptionGroup var page: PageOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    try checkPaths(
      ("PATH", path), ("--model", model.path), ("--rename", model.renames),
      ("--images", images), ("--labels", labels),
      ("--against", against), ("--reference", reference))
    try model.checkConvention()
    if against != nil, reference != nil {
      throw ValidationError("--against and --reference are two things to compare with; pass one")
    }
    try checkVerbosity(engine.verbose, quiet: output.quiet)
    if goldens { try checkGoldens() }
    try check(
      [("--samples", samples != nil), ("--min-agreement", minAgreement != nil)] + ofReference.given,
      needs: "--against", against != nil)
    try check(
      [("--tolerance", tolerance != nil)], needs: "--against or --reference",
      against != nil || reference != nil)
    if reference != nil, let other = dataOptions.first(where: \.isThere) {
      throw ValidationError(
        "--reference brings its own inputs and no labels, and needs no \(other.name)")
    }
    if reference != nil, engine.precision != .float32 {
      throw ValidationError("--reference compares what float32 gives, and needs no --precision")
    }
    if let minAgreement {
      guard (0...1).contains(minAgreement) else {
        throw ValidationError(
          "--min-agreement \(minAgreement) is not a fraction from 0 to 1; 99 % is 0.99")
      }
    }
    if let samples, samples < 1 { throw ValidationError("--samples \(samples) is not at least 1") }
    if let tolerance, !(tolerance >= 0 && tolerance.isFinite) {
      throw ValidationError("--tolerance \(tolerance) is not a number from 0 up")
    }
    if labels != nil, images == nil {
      throw ValidationError("--labels needs --images")
    }
    if let images, labels == nil, !images.hasSuffix(".npz"), !VerifyRequest.Data.arePictures(images)
    {
      throw ValidationError(
        "--images needs --labels, unless it is an .npz with x_test and y_test, a folder of pictures, or a .csv file"
      )
    }
    if shard != nil {
      guard output.json else {
        throw ValidationError("--shard needs --json, whose output netconv merge reads")
      }
      try check([("--confusion", confusion)], needs: "netconv merge, and not --shard", false)
      try check([("--html", page.page.html != nil)], needs: "all samples, and no --shard", false)
      try check(
        [("--find-preparation", findPreparation)], needs: "all samples, and no --shard", false)
    }
    if sweep != nil, against != nil {
      throw ValidationError("--sweep runs the network alone; leave out --against")
    }
    if findPreparation, reference != nil {
      throw ValidationError("--find-preparation needs images with labels, and --reference has none")
    }
    if let limit, limit < 1 { throw ValidationError("--limit \(limit) is not at least 1") }
    if let minAccuracy, !(0...1).contains(minAccuracy) {
      throw ValidationError(
        "--min-accuracy \(minAccuracy) is not a fraction from 0 to 1; 99 % is 0.99")
    }
    try checkMetric()
  }

  private func checkMetric() throws {
    if let maxError, !(maxError >= 0 && maxError.isFinite) {
      throw ValidationError("--max-error \(maxError) is not a number from 0 up")
    }
    if let minR2, !(minR2 <= 1 && minR2.isFinite) {
      throw ValidationError("--min-r2 \(minR2) is not a number up to 1")
    }
    try check(
      [("--max-error", maxError != nil)], needs: "--metric mae, mse or rmse",
      metric?.isError ?? false)
    try check([("--min-r2", minR2 != nil)], needs: "--metric r2", metric == .r2)
    guard let metric, metric.isOfQuantities else { return }
    try check(
      [
        ("--min-accuracy", minAccuracy != nil), ("--confusion", confusion),
        ("--min-agreement", minAgreement != nil), ("--find-preparation", findPreparation),
        ("--sweep", sweep != nil),
      ], needs: "--metric accuracy", false)
    guard images != nil else {
      throw ValidationError(
        "--metric \(metric.rawValue) needs --images, since the built-in test set has classes")
    }
  }

  /// The options about labelled images.
  private var dataOptions: [(name: String, isThere: Bool)] {
    [
      ("--images", images != nil), ("--labels", labels != nil), ("--limit", limit != nil),
      ("--shard", shard != nil),
      ("--scale", pixels.scale != nil), ("--offset", pixels.offset != nil),
      ("--filter", !pixels.filters.isEmpty), ("--sweep", sweep != nil),
      ("--min-accuracy", minAccuracy != nil), ("--confusion", confusion),
      ("--metric", metric != nil), ("--max-error", maxError != nil), ("--min-r2", minR2 != nil),
    ]
  }

  private func checkGoldens() throws {
    let others =
      dataOptions + model.given + [
        ("--find-preparation", findPreparation),
        ("--against", against != nil), ("--reference", reference != nil),
        ("--samples", samples != nil), ("--tolerance", tolerance != nil),
        ("--min-agreement", minAgreement != nil),
        ("--replace", !replace.replacements.isEmpty),
      ]
    if let other = others.first(where: \.isThere) {
      throw ValidationError("--goldens brings its own inputs and needs no \(other.name)")
    }
  }

  func run() throws {
    if goldens { return try verifyGoldens() }
    var request = VerifyRequest(path: path)
    request.options = model.source
    request.referenceOptions = ofReference.source
    request.replacements = replace.replacements
    if let images {
      request.data =
        VerifyRequest.Data.arePictures(images)
        ? .pictures(images, labels: labels)
        : labels.map { .files(images: images, labels: $0) } ?? .archive(images)
    }
    request.scale = pixels.scale
    request.offset = pixels.offset
    request.filters = pixels.filters
    request.sweep = sweep
    request.findsPreparation = findPreparation
    request.limit = limit
    request.minimumAccuracy = minAccuracy
    request.metric = metric
    request.maximumError = maxError
    request.minimumR2 = minR2
    request.allowsNotFinite = allowNotFinite
    request.engine = engine.engine
    request.reference = against.map { .model($0) } ?? reference.map { .activations($0) }
    request.samples = samples ?? request.samples
    request.tolerance = tolerance
    request.minimumAgreement = minAgreement
    request.precision = engine.precision
    let file = try page.file(
      reading: path, images, labels, against, reference, model.path, model.renames,
      ofReference.path, ofReference.renames)
    request.forPage = file != nil
    let bar = ProgressBar("verifying")
    let observer = bar.observer(isQuiet: output.quiet, isVerbose: engine.verbose)
    guard shard == nil else {
      request.shard = shard
      let found = try Netconv.verifyShard(request, observer: observer)
      bar.clear()
      return try Output.print(json: found)
    }
    let report = try Netconv.verify(request, observer: observer)
    bar.clear()
    if let file { try report.writePage(to: file, words: \.option) }
    try VerifyRendering.conclude(report, output, withConfusion: confusion, page: file)
  }
}

extension VerifyCommand {
  /// Replays the goldens of what was converted.
  private func verifyGoldens() throws {
    let file = try page.file(reading: path)
    let bar = ProgressBar("verifying")
    let report = try Netconv.verifyGoldens(
      path, engine: engine.engine, precision: engine.precision, allowsNotFinite: allowNotFinite,
      forPage: file != nil,
      observer: bar.observer(isQuiet: output.quiet, isVerbose: engine.verbose))
    bar.clear()
    if let file { try report.writePage(to: file, words: \.option) }
    if output.json {
      try Output.print(json: report)
    } else if !output.quiet {
      GoldensRendering.print(report)
      if let file { Output.written(file) }
    }
    guard let failure = GoldensRendering.failure(of: report) else { return }
    if !output.json { try Output.conclude([failure]) }
    throw ExitStatus.verdictIsNo
  }
}
