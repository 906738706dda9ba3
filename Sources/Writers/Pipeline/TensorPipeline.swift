import Documents
import ModelIR
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A pipeline that streams one tensor from its source to its locations, panel by panel, and verifies what was written.
///
/// No tensor is in memory as a whole: a panel is read and rearranged piece by piece, converted, written, and released.
/// Panels are independent of each other, so several workers can share them.
package struct TensorPipeline: Sendable {
  private let entry: OutputPlan.Entry
  private let panels: Panels
  private let buffers: WorkerBuffers
  private let checkCancellation: @Sendable () throws(NetconvError) -> Void

  /// Creates the pipeline of a tensor.
  ///
  /// - Parameters:
  ///   - buffers: the memory of the workers that share the panels, which determines their size.
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

  /// The results for a written tensor.
  package struct Written: Sendable, Equatable {
    /// Statistics of the values as written, including rounding losses.
    package var statistics: TensorStatistics
    package var digest: TensorDigest
    /// The rounding of the values; `nil` if no value changed.
    package var rounding: Rounding?
  }

  /// Returns the job that writes the tensor, and then verifies and hashes what was written.
  ///
  /// - Parameters:
  ///   - placements: the locations; the tensor is written to the first, and copied from there while it is hashed.
  ///   - needsChecksum: true if the CRC-32 is needed.
  ///   - whenDone: called once the tensor is written, verified and hashed.
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

  /// Returns the same work, with the tensor added to errors.
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

/// The progress and results of the work on a tensor.
private final class TensorProgress: Sendable {
  private struct State {
    var hashed: (statistics: TensorStatistics, digest: TensorDigest)?
    /// The sums of each panel, in the order of panels regardless of the workers' timing.
    var sums: [RoundingSums?]
    var unfinished: Int

    /// Records that a part is done.
    ///
    /// - Returns: the result, if it was the last part.
    mutating func finishPart() -> TensorPipeline.Written? {
      unfinished -= 1
      guard unfinished == 0, let (statistics, digest) = hashed else { return nil }
      let rounding = RoundingSums(adding: sums.compactMap(\.self))?.result
      return TensorPipeline.Written(
        statistics: statistics.adding(rounding), digest: digest, rounding: rounding)
    }
  }

  private let state: Mutex<State>

  /// Creates the state for a tensor with one part for hashing, and one per panel for verification.
  init(panels: Int) {
    state = Mutex(State(sums: Array(repeating: nil, count: panels), unfinished: panels + 1))
  }

  /// Records that the tensor is hashed.
  ///
  /// - Returns: the result, if everything is done.
  func finish(
    _ statistics: TensorStatistics, _ digest: TensorDigest
  ) -> TensorPipeline.Written? {
    state.withLock { state in
      state.hashed = (statistics, digest)
      return state.finishPart()
    }
  }

  /// Records that a panel is verified.
  ///
  /// - Returns: the result, if everything is done.
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

  /// Reads a panel back, applies the inverse rearrangement, and compares it with the source, bit by bit.
  ///
  /// - Returns: the rounding of the values; `nil` if no value changed.
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
      // The values read back must be the rounded values; otherwise the comparison fails.
      try sums?.add(UnsafeBufferPointer(values), UnsafeBufferPointer(restored), places, of: source)
      round(values, places)
      try compare(restored, with: values, places)
    }
    return sums
  }

  /// Calls `body` with consecutive values in memory, the buffer for their encoded bytes, and the index of the first in
  /// the tensor.
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
    // The index of a value matters only if scales differ.
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
  /// Copies between buffers that cover every index that the loops reach.
  fileprivate func run(
    _ source: UnsafeMutableBufferPointer<Float>, _ destination: UnsafeMutableBufferPointer<Float>
  ) {
    guard let from = source.baseAddress, let to = destination.baseAddress else { return }
    run(from, to)
  }
}

extension NetconvError {
  fileprivate static func proofFailed(index: Int, written: Float, source: Float) -> NetconvError {
    NetconvError(
      .internal,
      "value \(index) was written as \(written), but the source has \(source); nothing was "
        + "published, please report this")
  }
}
