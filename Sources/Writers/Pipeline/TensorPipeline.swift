import Crypto
import Documents
import ModelIR
import Zlib

/// Takes one tensor from its source to its places, panel by panel, and proves what was written.
///
/// No tensor is held whole: a panel is read, rearranged, converted and written, then forgotten.
package struct TensorPipeline {
  /// Values in a panel: 8 MiB of float32.
  package static let panelCount = 2 << 20

  private let entry: OutputPlan.Entry
  private let panels: [Panel]
  private let checkCancellation: () throws(NetconvError) -> Void

  /// The way of one tensor, in panels of at most `panelCount` values.
  package init(
    _ entry: OutputPlan.Entry, panelCount: Int = TensorPipeline.panelCount,
    checkCancellation: @escaping () throws(NetconvError) -> Void = {}
  ) {
    self.entry = entry
    panels = entry.tensor.rearrangement.panels(maximumCount: panelCount)
    self.checkCancellation = checkCancellation
  }

  /// Writes the tensor to the first place, proves it there, and copies it to the others.
  ///
  /// - Throws: `internal` if what was written is not what was read.
  package func run(
    to placements: [Placement]
  ) throws(NetconvError) -> (TensorStatistics, TensorDigest) {
    let scratch = PanelBuffers(count: panels.map(\.source.count).max() ?? 0)
    do {
      let statistics = try write(to: placements[0], scratch)
      try prove(placements[0], scratch)
      return (statistics, try digest(placements[0], copyingTo: placements.dropFirst(), scratch))
    } catch {
      throw error.inTensor(entry.tensor.spec.role.rawValue).inLayer(entry.tensor.layer)
    }
  }

  private func write(
    to place: Placement, _ scratch: PanelBuffers
  ) throws(NetconvError) -> TensorStatistics {
    var statistics = TensorStatistics.Accumulator()
    for panel in panels {
      try checkCancellation()
      let values = scratch.values(panel.source.count)
      try entry.tensor.stored.source.read(panel.source, into: values)
      let written = scratch.rounded(values, to: entry.elementType)
      statistics.update(UnsafeBufferPointer(written))
      statistics.add(try overflow(values, written, panel.source))
      let arranged = scratch.arranged(panel.source.count)
      panel.copy.run(values, to: arranged)
      let bytes = scratch.encode(arranged, as: entry.elementType)
      var position = 0
      for run in panel.runs {
        let count = run.count * entry.elementType.byteCount
        try place.write(
          UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]),
          at: run.offset * entry.elementType.byteCount)
        position += count
      }
    }
    return statistics.result
  }

  /// The values of a panel that are finite in the source, and infinite as they are written.
  private func overflow(
    _ values: UnsafeMutableBufferPointer<Float>, _ written: UnsafeMutableBufferPointer<Float>,
    _ range: Range<Int>
  ) throws(NetconvError) -> Overflow {
    var overflow = Overflow()
    if written.baseAddress != values.baseAddress {
      for index in values.indices where written[index].isInfinite && values[index].isFinite {
        overflow.note(range.lowerBound + index)
      }
    }
    let source = entry.tensor.stored.source
    // Read again, as what float32 cannot hold is infinite already.
    if source.elementType == .float64, values.contains(where: \.isInfinite) {
      overflow.add(try source.overflows(in: range))
    }
    return overflow
  }

  /// Reads the tensor back, takes it through the inverse, and compares it with the source, bit by bit.
  private func prove(_ place: Placement, _ scratch: PanelBuffers) throws(NetconvError) {
    for panel in panels {
      try checkCancellation()
      let count = panel.source.count
      let bytes = scratch.bytes(count * entry.elementType.byteCount)
      var position = 0
      for run in panel.runs {
        let length = run.count * entry.elementType.byteCount
        try place.read(
          at: run.offset * entry.elementType.byteCount,
          into: UnsafeMutableRawBufferPointer(rebasing: bytes[position..<position + length]))
        position += length
      }
      let arranged = scratch.arranged(count)
      scratch.decode(UnsafeRawBufferPointer(bytes), as: entry.elementType, into: arranged)
      let restored = scratch.restored(count)
      panel.copy.inverse.run(arranged, to: restored)
      let values = scratch.values(count)
      try entry.tensor.stored.source.read(panel.source, into: values)
      scratch.round(values, to: entry.elementType)
      if let index = zip(values, restored).enumerated().first(where: {
        $0.element.0.bitPattern != $0.element.1.bitPattern
      })?.offset {
        throw .proofFailed(
          index: panel.source.lowerBound + index, written: restored[index], source: values[index])
      }
    }
  }

  private func digest(
    _ place: Placement, copyingTo others: ArraySlice<Placement>, _ scratch: PanelBuffers
  ) throws(NetconvError) -> TensorDigest {
    var hash = SHA256()
    var checksum = CRC32()
    for offset in stride(from: 0, to: entry.byteCount, by: PanelBuffers.chunkSize) {
      try checkCancellation()
      let bytes = scratch.chunk(min(PanelBuffers.chunkSize, entry.byteCount - offset))
      try place.read(at: offset, into: bytes)
      hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
      checksum.update(UnsafeRawBufferPointer(bytes))
      for other in others { try other.write(UnsafeRawBufferPointer(bytes), at: offset) }
    }
    return TensorDigest(
      sha256: hexadecimal(hash.finalize()), checksum: checksum.value)
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
