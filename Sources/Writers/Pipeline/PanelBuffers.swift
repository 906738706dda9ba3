import ModelIR
import Synchronization

/// The buffers of one worker for streaming panels: a panel in written order, and two pieces of it in source order,
/// small enough for a cache.
final class PanelBuffers: @unchecked Sendable {  // Each worker has its own.
  /// The number of values of a piece: 256 KiB.
  static let pieceCount = 1 << 16

  private let panel: UnsafeMutableBufferPointer<Float>
  private let pieces: [UnsafeMutableBufferPointer<Float>]

  /// Creates buffers for panels of at most `count` values.
  init(count: Int) {
    panel = .allocate(capacity: count)
    pieces = (0..<2).map { _ in .allocate(capacity: min(count, Self.pieceCount)) }
  }

  deinit {
    panel.deallocate()
    for piece in pieces { piece.deallocate() }
  }

  /// Returns the buffer for values in written order.
  func arranged(_ count: Int) -> UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(rebasing: panel[..<count])
  }

  /// Returns the buffer for values in source order.
  func values(_ count: Int) -> UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(rebasing: pieces[0][..<count])
  }

  /// Returns the buffer for the same values after the inverse rearrangement.
  func restored(_ count: Int) -> UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(rebasing: pieces[1][..<count])
  }

  /// Returns the buffer for `count` encoded values.
  func encoded(_ count: Int, _ type: ElementType) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      rebasing: UnsafeMutableRawBufferPointer(pieces[0])[..<(count * type.byteCount)])
  }
}

/// The buffers of a thread pool, created on first use by a worker.
package final class WorkerBuffers: Sendable {
  /// The maximum number of values per panel.
  package let panelCount: Int
  private let buffers: Mutex<[Int: PanelBuffers]> = Mutex([:])

  /// Creates buffers for panels of `panelCount` values.
  package init(panelCount: Int) {
    self.panelCount = panelCount
  }

  /// Returns the buffers of one worker.
  subscript(worker: Int) -> PanelBuffers {
    buffers.withLock { buffers in
      if let own = buffers[worker] { return own }
      let own = PanelBuffers(count: panelCount)
      buffers[worker] = own
      return own
    }
  }
}
