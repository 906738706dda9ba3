import ArgumentParser
import ModelIR
import NetconvKit

/// The command `netconv verify`.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Runs a network on samples with labels or targets, and shows its accuracy or error.",
    discussion: """
      Of a converted folder or archive only the written files are used, after their
      hashes are checked. Without data it runs the MNIST test set, which is part of
      the program, on any network with 28x28 pixels as input and ten classes as
      output. Exits with 1 if the accuracy is below --min-accuracy, or if a
      prediction is not finite.

      Samples may be sequences, and have any number of axes: the axes of x_test after
      the first are those of the network's input. There is a class for each sample,
      or for each step if the network returns one, as numbers or as one-hot rows.
      With --metric mae, mse, rmse or r2 the network predicts quantities, and there
      is a target for each value of its output.

      A folder holds pictures in a folder for each class, a .csv file their paths and
      classes. They are fitted to the input, and the steps are printed.

      With --against or --reference each layer is fed with the reference's inputs, and
      its output is compared with the reference's: the first layer beyond its
      tolerance is named with the mistake that explains it. Exits with 1 if there is
      one.

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
    help: "The network: a converted folder, an archive, or a source.",
    completion: .file())
  var path: String

  @OptionGroup(title: OptionTitle.reading)
  var model: ArchitectureOption

  @OptionGroup(title: OptionTitle.reading)
  var replace: ReplaceOption

  @OptionGroup(title: "Options for the SOURCE of --against, where they differ from those for PATH")
  var ofReference: SideOptions<AgainstSide>

  @OptionGroup(title: "Samples")
  var samples: SampleOptions

  @OptionGroup(title: OptionTitle.pixels)
  var pixels: PixelOptions

  @OptionGroup(title: OptionTitle.pixels)
  var trials: TrialOptions

  @OptionGroup(title: "Metrics")
  var metrics: MetricOptions

  @OptionGroup(title: "Layer by layer")
  var compared: ReferenceOptions

  @OptionGroup(title: OptionTitle.engine)
  var engine: EngineOption

  @OptionGroup(title: OptionTitle.output)
  var page: PageOptions

  @OptionGroup(title: OptionTitle.output)
  var output: OutputOptions

  func validate() throws {
    try checkPaths(("PATH", path), ("--model", model.path), ("--rename", model.renames))
    try model.checkConvention()
    try checkVerbosity(engine.verbose, quiet: output.quiet)
    if compared.goldens { try checkGoldens() }
    try check(ofReference.given, needs: "--against", compared.against != nil)
    try checkReference()
    if samples.shard != nil { try checkShard() }
    if trials.sweep != nil, compared.against != nil {
      throw ValidationError("--sweep runs the network alone; leave out --against")
    }
    guard let metric = metrics.metric, metric.isOfQuantities else { return }
    try check(
      trials.given + [("--min-agreement", compared.minAgreement != nil)],
      needs: "--metric accuracy", false)
    guard samples.images != nil else {
      throw ValidationError(
        "--metric \(metric.rawValue) needs --images, since the built-in test set has classes")
    }
  }

  /// The options for labelled samples.
  private var dataOptions: [(name: String, isThere: Bool)] {
    samples.given + pixels.given + trials.given + metrics.given
  }

  private func checkReference() throws {
    guard compared.reference != nil else { return }
    if trials.findPreparation {
      throw ValidationError("--find-preparation needs images with labels, and --reference has none")
    }
    if let other = dataOptions.first(where: \.isThere) {
      throw ValidationError(
        "--reference has its own inputs and no labels; leave out \(other.name)")
    }
    if engine.precision != .float32 {
      throw ValidationError("--reference compares float32 outputs; leave out --precision")
    }
  }

  private func checkShard() throws {
    guard output.json else {
      throw ValidationError("--shard needs --json, whose output netconv merge reads")
    }
    try check(
      [("--confusion", metrics.confusion)], needs: "netconv merge, and not --shard", false)
    try check([("--html", page.page.html != nil)], needs: "all samples, and no --shard", false)
    try check(
      [("--find-preparation", trials.findPreparation)], needs: "all samples, and no --shard", false)
  }

  private func checkGoldens() throws {
    let others =
      dataOptions + model.given + compared.given
      + [("--replace", !replace.replacements.isEmpty)]
    if let other = others.first(where: \.isThere) {
      throw ValidationError("--goldens has its own inputs; leave out \(other.name)")
    }
  }

  func run() throws {
    if compared.goldens { return try verifyGoldens() }
    let file = try page.file(
      reading: path, samples.images, samples.labels, compared.against, compared.reference,
      model.path, model.renames, ofReference.path, ofReference.renames)
    var request = request
    request.forPage = file != nil
    let bar = ProgressBar("verifying")
    let observer = bar.observer(isQuiet: output.quiet, isVerbose: engine.verbose)
    guard samples.shard == nil else {
      let found = try Netconv.verifyShard(request, observer: observer)
      bar.clear()
      return try Output.print(json: found)
    }
    let report = try Netconv.verify(request, observer: observer)
    bar.clear()
    if let file { try report.writePage(to: file, words: \.option) }
    try VerifyRendering.conclude(report, output, withConfusion: metrics.confusion, page: file)
  }

  private var request: VerifyRequest {
    var request = VerifyRequest(path: path)
    request.options = model.source
    request.referenceOptions = ofReference.source
    request.replacements = replace.replacements
    request.data = samples.data ?? request.data
    request.output = samples.layer
    request.limit = samples.limit
    request.shard = samples.shard
    request.scale = pixels.scale
    request.offset = pixels.offset
    request.filters = pixels.filters
    request.sweep = trials.sweep
    request.findsPreparation = trials.findPreparation
    request.metric = metrics.metric
    request.threshold = metrics.threshold
    request.minimumAccuracy = metrics.minAccuracy
    request.maximumError = metrics.maxError
    request.minimumR2 = metrics.minR2
    request.allowsNotFinite = metrics.allowNotFinite
    request.engine = engine.engine
    request.precision = engine.precision
    request.reference = compared.request
    request.samples = compared.samples ?? request.samples
    request.tolerance = compared.tolerance
    request.minimumAgreement = compared.minAgreement
    return request
  }
}

extension VerifyCommand {
  /// Replays the goldens of a conversion.
  private func verifyGoldens() throws {
    let file = try page.file(reading: path)
    let bar = ProgressBar("verifying")
    let report = try Netconv.verifyGoldens(
      path, engine: engine.engine, precision: engine.precision,
      allowsNotFinite: metrics.allowNotFinite,
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
