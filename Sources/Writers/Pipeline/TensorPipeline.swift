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
/// No tensor is held whole: a panel is read, rearranged, converted and written, then forgotten. Panels are
/// independent of each other, so that several workers can share them.
package struct TensorPipeline: Sendable {
  private let entry: OutputPlan.Entry
  private let panels: [Panel]
  private let workers: Workers
  private let checkCancellation: @Sendable () throws(NetconvError) -> Void

  /// The way of one tensor.
  ///
  /// - Parameters:
  ///   - panelCount: values in a panel, at most.
  ///   - workers: threads that share the panels; each needs memory for two of them.
  package init(
    _ entry: OutputPlan.Entry, panelCount: Int = PanelMemory.standard.panelCount,
    workers: Int = 1,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void = {}
  ) {
    self.entry = entry
    panels = entry.tensor.rearrangement.panels(maximumCount: panelCount)
    self.workers = Workers(count: workers)
    self.checkCancellation = checkCancellation
  }

  /// Writes the tensor, and proves what was written.
  ///
  /// - Returns: the values that the written type cannot hold.
  /// - Throws: `internal` if what was written is not what was read.
  package func write(to place: Placement) throws(NetconvError) -> Overflow {
    let count = panels.map(\.source.count).max() ?? 0
    let buffers = (0..<min(workers.count, max(1, panels.count))).map { _ in
      PanelBuffers(count: count)
    }
    let overflow = Mutex(Overflow())
    return try placing { () throws(NetconvError) in
      try workers.perform(panels.count) { worker, part throws(NetconvError) in
        let found = try write(panels[part], to: place, buffers[worker])
        overflow.withLock { $0.add(found) }
      }
      try workers.perform(panels.count) { worker, part throws(NetconvError) in
        try prove(panels[part], at: place, buffers[worker])
      }
      return overflow.withLock { $0 }
    }
  }

  /// Reads the tensor from its first place, hashes it, and copies it to the others.
  ///
  /// - Parameter overflow: the values that the written type cannot hold.
  /// - Returns: what the values are like, and the digests.
  package func digest(
    _ placements: [Placement], _ overflow: Overflow, needsChecksum: Bool
  ) throws(NetconvError) -> (statistics: TensorStatistics, digest: TensorDigest) {
    try placing { () throws(NetconvError) in
      let (statistics, digest) = try DigestPass(entry, needsChecksum: needsChecksum)
        .run(placements[0], copyingTo: placements.dropFirst(), checkCancellation)
      return (statistics.adding(overflow), digest)
    }
  }

  private func placing<Result>(
    _ work: () throws(NetconvError) -> Result
  ) throws(NetconvError) -> Result {
    do {
      return try work()
    } catch {
      throw error.inTensor(entry.tensor.spec.role.rawValue).inLayer(entry.tensor.layer)
    }
  }
}

// MARK: - Panels

extension TensorPipeline {
  private var source: any TensorSource { entry.tensor.stored.source }

  private func write(
    _ panel: Panel, to place: Placement, _ buffers: PanelBuffers
  ) throws(NetconvError) -> Overflow {
    try checkCancellation()
    let type = entry.elementType
    let count = panel.source.count
    let values = buffers.values(count)
    try source.read(panel.source, into: values)
    let overflow = try overflow(of: values, panel.source)
    let arranged = buffers.arranged(count)
    panel.copy.run(values, to: arranged)
    let bytes = buffers.bytes(count, type)
    type.encode(arranged, into: bytes)
    var position = 0
    for run in panel.runs {
      let length = run.count * type.byteCount
      try place.write(
        UnsafeRawBufferPointer(rebasing: bytes[position..<position + length]),
        at: run.offset * type.byteCount)
      position += length
    }
    return overflow
  }

  /// The values of a panel that are finite in the source, and infinite as they are written.
  private func overflow(
    of values: UnsafeMutableBufferPointer<Float>, _ range: Range<Int>
  ) throws(NetconvError) -> Overflow {
    var overflow = entry.elementType.overflows(of: values, from: range.lowerBound)
    // Read again, as what float32 cannot hold is infinite already.
    if source.elementType == .float64, values.contains(where: \.isInfinite) {
      overflow.add(try source.overflows(in: range))
    }
    return overflow
  }

  /// Reads a panel back, takes it through the inverse, and compares it with the source, bit by bit.
  private func prove(
    _ panel: Panel, at place: Placement, _ buffers: PanelBuffers
  ) throws(NetconvError) {
    try checkCancellation()
    let type = entry.elementType
    let count = panel.source.count
    let bytes = buffers.bytes(count, type)
    var position = 0
    for run in panel.runs {
      let length = run.count * type.byteCount
      try place.read(
        at: run.offset * type.byteCount,
        into: UnsafeMutableRawBufferPointer(rebasing: bytes[position..<position + length]))
      position += length
    }
    let arranged = buffers.arranged(count)
    if bytes.baseAddress != UnsafeMutableRawPointer(arranged.baseAddress) {
      type.decode(UnsafeRawBufferPointer(bytes), .little, into: arranged)
    }
    let restored = buffers.values(count)
    panel.copy.inverse.run(arranged, to: restored)
    try compare(restored, with: panel.source, buffers)
  }

  private func compare(
    _ restored: UnsafeMutableBufferPointer<Float>, with range: Range<Int>, _ buffers: PanelBuffers
  ) throws(NetconvError) {
    for start in stride(from: 0, to: range.count, by: PanelBuffers.pieceCount) {
      let piece = buffers.piece(min(PanelBuffers.pieceCount, range.count - start))
      let first = range.lowerBound + start
      try source.read(first..<first + piece.count, into: piece)
      entry.elementType.round(piece)
      let written = UnsafeMutableBufferPointer(rebasing: restored[start..<start + piece.count])
      guard let found = written.baseAddress, let expected = piece.baseAddress,
        memcmp(found, expected, piece.count * MemoryLayout<Float>.size) != 0
      else { continue }
      for index in piece.indices where written[index].bitPattern != piece[index].bitPattern {
        throw .proofFailed(index: first + index, written: written[index], source: piece[index])
      }
    }
  }
}

extension StridedCopy {
  /// Copies between buffers that hold ``count`` values each.
  fileprivate func run(
    _ source: UnsafeMutableBufferPointer<Float>, to destination: UnsafeMutableBufferPointer<Float>
  ) {
    guard let from = source.baseAddress, let to = destination.baseAddress else { return }
    run(from, to)
  }
}
