import Documents
import ModelIR
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Takes one tensor from its source to its places, panel by panel, and proves what was written.
///
/// No tensor is held whole: a panel is read and rearranged piece by piece, converted and written, then forgotten.
/// Panels are independent of each other, so that several workers can share them.
package struct TensorPipeline: Sendable {
  private let entry: OutputPlan.Entry
  private let panels: Panels
  private let buffers: WorkerBuffers
  private let checkCancellation: @Sendable () throws(NetconvError) -> Void

  /// The way of one tensor.
  ///
  /// - Parameters:
  ///   - buffers: the memory of the workers that share the panels; says how large these are.
  package init(
    _ entry: OutputPlan.Entry, _ buffers: WorkerBuffers,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void = {}
  ) {
    self.entry = entry
    self.buffers = buffers
    self.checkCancellation = checkCancellation
    panels = entry.tensor.rearrangement.panels(
      maximumCount: buffers.panelCount, isSequential: entry.tensor.stored.source.isSequential)
  }

  /// What is known of a tensor once it is written.
  package struct Written: Sendable, Equatable {
    /// The values as they are written, and what was lost on the way.
    package var statistics: TensorStatistics
    package var digest: TensorDigest
    /// What became of the values; `nil` where all stay what they are.
    package var rounding: Rounding?
  }

  /// The work of writing the tensor, and then of proving and hashing what was written.
  ///
  /// - Parameters:
  ///   - placements: where it goes; it is written to the first, and copied from there while it is hashed.
  ///   - needsChecksum: whether the CRC-32 matters.
  ///   - whenDone: told once it is written, proved and hashed.
  package func job(
    _ placements: [Placement], needsChecksum: Bool,
    whenDone: @escaping @Sendable (Written) -> Void
  ) -> WorkerPool.Job {
    let progress = TensorProgress(panels: panels.count)
    let hash = WorkerPool.Job(
      urgency: .high,
      work: naming { _, _ throws(NetconvError) in
        let (statistics, digest) = try DigestPass(entry, needsChecksum: needsChecksum)
          .run(placements[0], copyingTo: placements.dropFirst(), checkCancellation)
        if let written = progress.finish(statistics, digest) { whenDone(written) }
      })
    let proof = WorkerPool.Job(
      parts: panels.count,
      work: naming { worker, part throws(NetconvError) in
        let sums = try prove(panels[part], at: placements[0], buffers[worker])
        if let written = progress.finish(part, sums) { whenDone(written) }
      })
    return WorkerPool.Job(
      parts: panels.count,
      work: naming { worker, part throws(NetconvError) in
        try write(panels[part], to: placements[0], buffers[worker])
      }, next: { [hash, proof] })
  }

  /// The same work, with errors that name the tensor.
  private func naming(_ work: @escaping WorkerPool.Job.Work) -> WorkerPool.Job.Work {
    { worker, part throws(NetconvError) in
      do throws(NetconvError) {
        try work(worker, part)
      } catch {
        throw error.inTensor(entry.tensor)
      }
    }
  }
}

/// How far the work on a tensor is, and what has been found.
private final class TensorProgress: Sendable {
  private struct State {
    var hashed: (statistics: TensorStatistics, digest: TensorDigest)?
    /// Of each panel, in their order, whichever worker comes first.
    var sums: [RoundingSums?]
    var unfinished: Int

    /// Counts a part that is done.
    ///
    /// - Returns: the result, if that was the last.
    mutating func finishPart() -> TensorPipeline.Written? {
      unfinished -= 1
      guard unfinished == 0, let (statistics, digest) = hashed else { return nil }
      let rounding = RoundingSums(adding: sums.compactMap(\.self))?.result
      return TensorPipeline.Written(
        statistics: statistics.adding(rounding), digest: digest, rounding: rounding)
    }
  }

  private let state: Mutex<State>

  /// A tensor that is hashed in one part, and proved in as many as it has panels.
  init(panels: Int) {
    state = Mutex(State(sums: Array(repeating: nil, count: panels), unfinished: panels + 1))
  }

  /// Takes in that the tensor is hashed.
  ///
  /// - Returns: the result, if that was all.
  func finish(
    _ statistics: TensorStatistics, _ digest: TensorDigest
  ) -> TensorPipeline.Written? {
    state.withLock { state in
      state.hashed = (statistics, digest)
      return state.finishPart()
    }
  }

  /// Takes in that a panel is proved.
  ///
  /// - Returns: the result, if that was all.
  func finish(_ panel: Int, _ sums: RoundingSums?) -> TensorPipeline.Written? {
    state.withLock { state in
      state.sums[panel] = sums
      return state.finishPart()
    }
  }
}

// MARK: - Panels

extension TensorPipeline {
  private var source: any TensorSource { entry.tensor.stored.source }

  private func write(
    _ panel: Panel, to place: Placement, _ buffers: PanelBuffers
  ) throws(NetconvError) {
    try checkCancellation()
    let arranged = buffers.arranged(panel.count)
    let sourceRuns = panel.sourceRuns
    for piece in panel.pieces(maximumCount: PanelBuffers.pieceCount) {
      let values = buffers.values(piece.values.count)
      try read(sourceRuns.places(of: piece.values), into: values)
      piece.move.run(values, arranged)
    }
    try forEachStretch(of: panel, buffers) { values, bytes, start throws(NetconvError) in
      let offset = start * entry.elementType.byteCount
      if entry.encoding.isNative {
        return try place.write(UnsafeRawBufferPointer(values), at: offset)
      }
      entry.encoding.encode(UnsafeBufferPointer(values), from: start, into: bytes)
      try place.write(UnsafeRawBufferPointer(bytes), at: offset)
    }
  }

  /// Reads a panel back, takes it through the inverse, and compares it with the source, bit by bit.
  ///
  /// - Returns: what became of the values; `nil` where all stay what they are.
  private func prove(
    _ panel: Panel, at place: Placement, _ buffers: PanelBuffers
  ) throws(NetconvError) -> RoundingSums? {
    try checkCancellation()
    try forEachStretch(of: panel, buffers) { values, bytes, start throws(NetconvError) in
      let offset = start * entry.elementType.byteCount
      if entry.encoding.isNative {
        return try place.read(at: offset, into: UnsafeMutableRawBufferPointer(values))
      }
      try place.read(at: offset, into: bytes)
      entry.encoding.decode(UnsafeRawBufferPointer(bytes), from: start, into: values)
    }
    let arranged = buffers.arranged(panel.count)
    let sourceRuns = panel.sourceRuns
    var sums =
      entry.encoding.isLossy(from: source.elementType) ? RoundingSums(entry.elementType) : nil
    for piece in panel.pieces(maximumCount: PanelBuffers.pieceCount) {
      let restored = buffers.restored(piece.values.count)
      piece.move.reversed.run(arranged, restored)
      let places = sourceRuns.places(of: piece.values)
      let values = buffers.values(piece.values.count)
      try read(places, into: values)
      // What is read back is what the values became, or the comparison fails.
      try sums?.add(UnsafeBufferPointer(values), UnsafeBufferPointer(restored), places, of: source)
      round(values, places)
      try compare(restored, with: values, places)
    }
    return sums
  }

  /// Calls `body` with the places in memory of consecutive values, for the bytes that they are written as, and
  /// with the index of the first in the tensor.
  private func forEachStretch(
    of panel: Panel, _ buffers: PanelBuffers,
    _ body: (UnsafeMutableBufferPointer<Float>, UnsafeMutableRawBufferPointer, Int)
      throws(NetconvError) -> Void
  ) throws(NetconvError) {
    let isNative = entry.encoding.isNative
    let most = isNative ? Int.max : PanelBuffers.pieceCount
    let arranged = buffers.arranged(panel.count)
    var position = 0
    for run in panel.runs {
      var start = run.lowerBound
      while start < run.upperBound {
        let count = min(most, run.upperBound - start)
        let values = UnsafeMutableBufferPointer(rebasing: arranged[position..<position + count])
        try body(values, buffers.encoded(isNative ? 0 : count, entry.elementType), start)
        start += count
        position += count
      }
    }
  }

  private func read(
    _ places: [Range<Int>], into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    var position = 0
    for range in places {
      try source.read(
        range, into: UnsafeMutableBufferPointer(rebasing: values[position...].prefix(range.count)))
      position += range.count
    }
  }

  private func round(_ values: UnsafeMutableBufferPointer<Float>, _ places: [Range<Int>]) {
    guard entry.encoding.scale != nil else { return entry.encoding.round(values, from: 0) }
    // Only where scales differ does the place of a value matter.
    var position = 0
    for range in places {
      entry.encoding.round(
        UnsafeMutableBufferPointer(rebasing: values[position...].prefix(range.count)),
        from: range.lowerBound)
      position += range.count
    }
  }

  private func compare(
    _ restored: UnsafeMutableBufferPointer<Float>,
    with values: UnsafeMutableBufferPointer<Float>, _ places: [Range<Int>]
  ) throws(NetconvError) {
    guard let found = restored.baseAddress, let expected = values.baseAddress,
      memcmp(found, expected, values.count * MemoryLayout<Float>.size) != 0
    else { return }
    for (index, place) in places.joined().enumerated()
    where restored[index].bitPattern != values[index].bitPattern {
      throw .proofFailed(index: place, written: restored[index], source: values[index])
    }
  }
}

extension StridedMove {
  /// Copies between buffers that hold every place that the loops reach.
  fileprivate func run(
    _ source: UnsafeMutableBufferPointer<Float>, _ destination: UnsafeMutableBufferPointer<Float>
  ) {
    guard let from = source.baseAddress, let to = destination.baseAddress else { return }
    run(from, to)
  }
}
