import Documents
import Files
import ModelIR
import Readers
import Synchronization
import Transforms
import Writers

extension Netconv {
  /// Converts a source for a target, and verifies every tensor before anything is published.
  ///
  /// - Throws: `usage`, `badData`, `cannotOpen`, `cannotCreate`, `inputOutput` or `interrupted`; the destination is
  ///   then unchanged. Finite values that would become infinite are `badData`, unless the request allows them.
  public static func convert(
    _ request: ConvertRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> ConvertReport {
    try convert(request, with: nil, observer: observer)
  }

  /// Converts a model that was built in Swift for a target; see ``convert(_:observer:)``.
  ///
  /// The output can be read again wherever netconv reads a model.
  /// - Parameters:
  ///   - model: a model from the model language or from a reader.
  ///   - request: the settings; its source only names the model in the manifest and in errors.
  ///   - observer: receives the events.
  /// - Throws: as ``convert(_:observer:)``.
  public static func convert(
    _ model: Model, _ request: ConvertRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> ConvertReport {
    try convert(
      request, with: ReadSource(made: model, by: "swift", called: request.source),
      observer: observer)
  }

  /// Converts a source for a target; see ``convert(_:observer:)``.
  ///
  /// - Parameter source: the source, if it has been read already; it must not change during the conversion.
  static func convert(
    _ request: ConvertRequest, with source: ReadSource?, observer: Observer
  ) throws(NetconvError) -> ConvertReport {
    try convert(PreparedConversion(request, of: source, observer), observer: observer).report
  }

  /// Performs a prepared conversion.
  ///
  /// - Returns: the plan of the output, and the report.
  static func convert(
    _ conversion: PreparedConversion, observer: Observer
  ) throws(NetconvError) -> (plan: OutputPlan, report: ConvertReport) {
    let request = conversion.request
    var warnings = ConversionWarnings(observer)
    do {
      return try conversion.source.whileUnchanged { () throws(NetconvError) in
        try conversion.check(&warnings)
        let plan = try conversion.plan(observer, &warnings)
        let output = try write(plan, conversion, observer, &warnings)
        warnings.add(output.manifest, losses(plan, output.roundings))
        let report = ConvertReport(
          request, output, sources: conversion.mappedSources,
          rules: conversion.rules, leftOut: conversion.source.leftOutCount, warnings: warnings.texts
        )
        return (plan, report)
      }
    } catch {
      // Entries are verified late, while the source is hashed; values that do not fit may come from damage.
      if error.kind == .badData { try conversion.source.checkEntries(observer) }
      throw conversion.source.isMade ? error : error.inFile(request.source)
    }
  }

  /// Reports the effect of a conversion's types on the values, without writing anything.
  ///
  /// Every value is read. Anything that would prevent the conversion, such as an existing destination, is an error
  /// here too. The exception is values that would become infinite: see ``PreflightReport/overflow``.
  /// - Throws: `usage`, `badData`, `cannotOpen`, `cannotCreate`, `inputOutput` or `interrupted`.
  public static func preflight(
    _ request: ConvertRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> PreflightReport {
    let conversion = try PreparedConversion(request, observer)
    try conversion.source.checkEntries(observer)
    var warnings = ConversionWarnings(observer)
    do {
      try conversion.check(&warnings)
      let plan = try conversion.plan(observer, &warnings)
      let roundings = try plan.roundings(observer)
      let losses = zip(plan.entriesOfParameters, roundings).map { TensorLoss($0, $1) }
      var overflow: NetconvError?
      do throws(NetconvError) {
        if !request.allowOverflow { try losses.checkOverflows() }
      } catch {
        overflow = error.inFile(request.source)
      }
      let nonFinite = losses.compactMap(\.nonFinite)
      if !nonFinite.isEmpty { warnings.add(.nonFinite(nonFinite)) }
      warnings.add(losses, overflowing: request.allowOverflow)
      return PreflightReport(
        request, conversion, plan, roundings, overflow: overflow, warnings: warnings.texts)
    } catch {
      throw error.inFile(request.source)
    }
  }

  /// Returns the losses of those entries of a plan whose values change.
  private static func losses(_ plan: OutputPlan, _ roundings: [Rounding?]) -> [TensorLoss] {
    zip(plan.entries, roundings).compactMap { entry, rounding in
      rounding.map { TensorLoss(entry, $0) }
    }
  }

  private static func write(
    _ plan: OutputPlan, _ conversion: PreparedConversion, _ observer: Observer,
    _ warnings: inout ConversionWarnings
  ) throws(NetconvError) -> ModelWriter.Output {
    let (source, target) = (conversion.source, conversion.target)
    let part = conversion.request.options.graph
    var description = ModelWriter.Description(
      producer: Manifest.Producer(name: "netconv", version: version),
      source: { () throws(NetconvError) in
        var record = try Manifest.Source(source, observer)
        record.part = Manifest.Source.Part(part)
        return record
      },
      target: target.name, elementType: conversion.request.elementType,
      isSupported: conversion.isSupported)
    description.folded = conversion.folded
    if case .model = plan.network { description.replaced = source.replacementRecords }
    description.checkSource = { () throws(NetconvError) in try source.checkUnchanged() }
    if !conversion.request.allowOverflow {
      description.accept = { (roundings) throws(NetconvError) in
        try losses(plan, roundings).checkOverflows()
      }
    }
    let notFinite = Mutex<[String]>([])
    if let goldens = conversion.request.goldens, let model = try conversion.model(of: plan) {
      let inputs = try GoldenInputs(goldens, for: model, from: try source.model)
      let written = try model.asWritten(plan)
      description.goldens = { (weights) throws(NetconvError) in
        let goldens = try Goldens(written, weights: weights, inputs, observer)
        notFinite.withLock { $0 = goldens.notFinite }
        guard let folder = conversion.request.goldensFolder else { return goldens.files }
        for file in goldens.files {
          try write(file.bytes, to: file.name, below: folder)
        }
        return []
      }
    }
    let total = Double(max(1, plan.entries.reduce(0) { $0 + $1.byteCount }))
    var done = 0
    let memory = PanelMemory(
      processLimit: conversion.request.memoryLimit,
      readsThroughLibrary: plan.entries.contains { $0.tensor.stored.source.isSequential })
    let output = try ModelWriter(plan, to: conversion.destination, memory: memory)
      .write(description) { entry in
        done += entry.byteCount
        observer.onEvent(.progress(Double(done) / total))
      } checkCancellation: { () throws(NetconvError) in
        try observer.checkCancellation()
      }
    let layers = notFinite.withLock { $0 }
    if !layers.isEmpty { warnings.add(.goldensNotFinite(layers)) }
    return output
  }
}

extension Event {
  fileprivate static func goldensNotFinite(_ layers: [String]) -> Event {
    .warning(
      layers.count == 1
        ? "the outputs of 1 layer are not all finite for the goldens' inputs"
        : "the outputs of \(layers.count) layers are not all finite for the goldens' inputs",
      details: layers.messages)
  }
}
