import Documents
import ModelIR
import Readers
import Transforms
import Writers

/// The warnings of a conversion, which are sent to the observer and kept for the report.
struct ConversionWarnings {
  private let observer: Observer
  private(set) var texts: [Message] = []

  init(_ observer: Observer) {
    self.observer = observer
  }

  mutating func add(_ event: Event) {
    switch event {
    case .warning(let text, let details), .remark(let text, let details):
      texts.append(([text] + details).joined(separator: "\n  "))
      observer.onEvent(event)
    case .note, .decision: observer.onEvent(event)
    case .progress: return
    }
  }

  /// Adds the reader's notes about the source.
  mutating func add(_ notes: [SourceNote]) {
    for note in notes {
      if note.isWarning { add(note.event) } else { observer.onEvent(note.event) }
    }
  }

  /// Adds a warning about inconsistencies in a source of which only weights are written.
  mutating func addMisfits(of source: ReadSource) {
    add(
      .misfits(
        source.misfits.flatMap { misfit in
          var misfit = misfit
          if misfit.file == source.path { misfit.file = nil }
          return misfit.lines
        }))
  }

  /// Adds a warning about kernels that were read without a graph, since only a graph shows which axes a flatten has
  /// merged.
  mutating func addMatrices(_ network: Network) {
    let lines = network.tensors.filter { $0.spec.kind == .fullyConnected }
      .map { "\(quoted($0.layer)) \($0.spec.role): \(Shape($0.storedShape))" }
    if !lines.isEmpty { add(.matrices(lines)) }
  }

  /// Adds the same warning for a known convention, if the target flattens images in another order.
  ///
  /// - Parameter settled: the names of tensors whose rows are in the order that the user has stated.
  mutating func addMatrices(
    _ network: Network, flattenedBy readings: WeightReadings, besides settled: Set<String>,
    for target: Target
  ) {
    let lines = network.tensors.compactMap { tensor -> String? in
      guard !settled.contains(tensor.stored.name ?? "") else { return nil }
      let channels = Set(
        readings.tensors(tensor.key).flatMap { readings.channels(before: $0, for: target) })
      guard !channels.isEmpty else { return nil }
      let name = tensor.stored.name ?? "\(tensor.layer) \(tensor.spec.role)"
      return "\(quoted(name)) \(Shape(tensor.storedShape)), perhaps after images of "
        + channels.sorted().map(String.init).joined(separator: " or ") + " channels"
    }
    if !lines.isEmpty { add(.matrices(lines)) }
  }

  /// Adds a warning about kernels whose convention, PyTorch's or another, is a guess.
  mutating func addGuesses(_ network: Network, by readings: WeightReadings, for target: Target) {
    let lines = network.tensors.filter { readings.isGuessed($0, for: target) }
      .map { "\(quoted($0.stored.name ?? $0.layer)) \(Shape($0.storedShape))" }
    if !lines.isEmpty { add(.guessedConvention(lines, target: target.name)) }
  }

  /// Adds a warning about parameters whose features a consumer flattens in another order, which no layout reveals.
  mutating func addFlattenedFeatures(of network: Network, for target: Target) {
    guard case .model(let model) = network, !target.keepsLayouts else { return }
    let own: PixelStep.AxisOrder = target.flattensChannelsFirst ? .channelsFirst : .channelsLast
    let uses = FlattenedFeatures(of: model).uses.filter { $0.orders != [own] }
    if !uses.isEmpty { add(.flattenedFeatures(uses, target: target.name)) }
  }

  /// Adds warnings about values that were changed, or were not finite in the source.
  mutating func add(_ manifest: Manifest, _ losses: [TensorLoss]) {
    let lines = manifest.tensors.compactMap(Self.nonFinite)
    if !lines.isEmpty { add(.nonFinite(lines)) }
    add(losses, overflowing: true)
  }

  /// Adds warnings about losses of precision or range.
  ///
  /// - Parameter overflowing: true to warn about values that become infinite; otherwise they are an error.
  mutating func add(_ losses: [TensorLoss], overflowing: Bool) {
    let overflows = overflowing ? losses.compactMap(\.overflow) : []
    if !overflows.isEmpty { add(.overflowed(overflows)) }
    let underflows = losses.filter { $0.underflow != nil }
    if !underflows.isEmpty { add(.underflowed(underflows)) }
    let errors = losses.compactMap(\.error)
    if !errors.isEmpty { add(.imprecise(errors)) }
    let outliers = losses.compactMap(\.outliers)
    if !outliers.isEmpty { add(.outliers(outliers)) }
  }

  /// Returns text such as `'fc' kernel (/fc/kernel:0): 5 of 48, the first at index 14`; `nil` if all values were
  /// finite in the source.
  private static func nonFinite(_ tensor: TensorRecord) -> String? {
    let statistics = tensor.statistics
    let count = statistics.nonFinite - (statistics.overflowed ?? 0)
    guard count > 0 else { return nil }
    let first =
      statistics.firstNonFinite == statistics.firstOverflowed ? nil : statistics.firstNonFinite
    return "\(quoted(tensor.layer)) \(tensor.role) (\(escaped(tensor.source.path))): "
      + "\(count) of \(tensor.shape.reduce(1, *))"
      + (first.map { ", the first at index \($0)" } ?? "")
  }
}

extension ReadSource {
  /// Sends the warnings and decisions that a user should see before trusting results.
  func tell(_ observer: Observer) {
    for note in notes where note.isWarning || note.isDecision { observer.onEvent(note.event) }
  }
}

extension SourceNote {
  /// The note as an event for an observer.
  var event: Event {
    let (text, details) = (Message(text: text), details.messages)
    if isWarning { return .warning(text, details: details) }
    return isDecision ? .decision(text, details: details) : .note(text, details: details)
  }
}

extension Event {
  fileprivate static func matrices(_ tensors: [String]) -> Event {
    .warning(
      (tensors.count == 1
        ? "1 fully-connected kernel is written as a matrix"
        : "\(tensors.count) fully-connected kernels are written as matrices")
        + ", rows in the source's order; without a graph, what a flatten before it merged is unknown",
      details: tensors.messages)
  }

  fileprivate static func guessedConvention(_ kernels: [String], target: String) -> Event {
    .warning(
      (kernels.count == 1 ? "1 kernel is" : "\(kernels.count) kernels are")
        + " assumed to have the layout of \(target), though mlx uses the same names with other layouts; "
        + "\(.convention) names the framework",
      details: kernels.messages)
  }

  fileprivate static func overflowed(_ tensors: [String]) -> Event {
    .warning(
      tensors.count == 1
        ? "1 tensor holds values that are too large for the type they are written as; they became "
          + "infinite"
        : "\(tensors.count) tensors hold values that are too large for the type they are written as; "
          + "they became infinite",
      details: tensors.messages)
  }

  /// A remark on small values that lose digits, which is harmless unless ``imprecise(_:)`` says otherwise.
  fileprivate static func underflowed(_ losses: [TensorLoss]) -> Event {
    let sum = { (count: (Rounding) -> Int) in grouped(losses.reduce(0) { $0 + count($1.rounding) })
    }
    return .remark(
      losses.count == 1
        ? "1 tensor holds values that are too small for the type it is written as"
        : "\(losses.count) tensors hold values that are too small for the type they are written as: of "
          + "\(sum(\.count)), \(sum(\.subnormal)) become subnormal and \(sum(\.zeroed)) zero",
      details: losses.compactMap(\.underflow).messages)
  }

  fileprivate static func imprecise(_ tensors: [String]) -> Event {
    .warning(
      tensors.count == 1
        ? "1 tensor loses more than the type it is written as explains"
        : "\(tensors.count) tensors lose more than the types they are written as explain",
      details: tensors.messages)
  }

  /// A warning about values that keep their order, although the target's graph is expected to use another.
  fileprivate static func flattenedFeatures(_ uses: [FlattenedFeatures.Use], target: String)
    -> Event
  {
    .warning(
      (uses.count == 1
        ? "1 tensor counts features of flattened images, which no layout can express"
        : "\(uses.count) tensors count features of flattened images, which no layout can express")
        + "; a graph for \(target) must flatten in the order shown here",
      details: uses.map { use in
        let order =
          use.orders.count > 1
          ? "H, W, C and C, H, W" : use.orders == [.channelsLast] ? "H, W, C" : "C, H, W"
        let names = use.flattens.quotedList
        return Message(
          "\(quoted(use.layer)) \(use.role): \(order), flattened by \(names)")
      })
  }
}
