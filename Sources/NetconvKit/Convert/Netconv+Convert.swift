import Documents
import Files
import ModelIR
import Readers
import Transforms
import Writers

extension Netconv {
  /// Converts a source for a target, and proves every tensor before anything is published.
  ///
  /// - Throws: `usage`, `badData`, `cannotOpen`, `cannotCreate`, `inputOutput` or `interrupted`; the
  ///   destination is then as it was. Finite values that would become infinite are `badData`, unless the request
  ///   allows them.
  public static func convert(
    _ request: ConvertRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> ConvertReport {
    let conversion = try PreparedConversion(request, observer)
    var warnings = ConversionWarnings(observer)
    do {
      try conversion.check(&warnings)
      let surveyed = try conversion.surveyed(isComplete: false, observer)
      if !request.allowOverflow { try surveyed.checkOverflows() }
      let manifest = try write(surveyed.plan, conversion, observer)
      warnings.add(manifest, surveyed.losses)
      return ConvertReport(request, manifest, warnings: warnings.texts)
    } catch {
      throw error.inFile(request.source)
    }
  }

  /// Says what the types of a conversion do to the values, and writes nothing.
  ///
  /// Every value is read. What would keep the conversion from being done, a destination that exists for example,
  /// is an error here too, but for values that would become infinite: see ``PreflightReport/overflow``.
  /// - Throws: `usage`, `badData`, `cannotOpen`, `cannotCreate`, `inputOutput` or `interrupted`.
  public static func preflight(
    _ request: ConvertRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> PreflightReport {
    let conversion = try PreparedConversion(request, observer)
    var warnings = ConversionWarnings(observer)
    do {
      try conversion.check(&warnings)
      let surveyed = try conversion.surveyed(isComplete: true, observer)
      var overflow: NetconvError?
      do throws(NetconvError) {
        if !request.allowOverflow { try surveyed.checkOverflows() }
      } catch {
        overflow = error.inFile(request.source)
      }
      warnings.add(surveyed.losses, overflowing: request.allowOverflow)
      return PreflightReport(
        request, conversion.source, surveyed.plan, overflow: overflow, warnings: warnings.texts)
    } catch {
      throw error.inFile(request.source)
    }
  }

  private static func write(
    _ plan: OutputPlan, _ conversion: PreparedConversion, _ observer: Observer
  ) throws(NetconvError) -> Manifest {
    let (source, target) = (conversion.source, conversion.target)
    let description = ModelWriter.Description(
      producer: Manifest.Producer(name: "netconv", version: version),
      source: { () throws(NetconvError) in try Manifest.Source(source, observer) },
      target: target.name, elementType: conversion.request.elementType,
      isSupported: { target.layout(for: $0) != nil })
    let total = Double(max(1, plan.entries.reduce(0) { $0 + $1.byteCount }))
    var done = 0
    let memory = PanelMemory(
      processLimit: conversion.request.memoryLimit,
      readsThroughLibrary: plan.entries.contains { $0.tensor.stored.source.isSequential })
    return try ModelWriter(plan, to: conversion.destination, memory: memory).write(description) {
      entry in
      done += entry.byteCount
      observer.onEvent(.progress(Double(done) / total))
    } checkCancellation: { () throws(NetconvError) in
      try observer.checkCancellation()
    }
  }
}
