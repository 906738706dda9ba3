import ModelIR
import Synchronization

/// The memory that one worker streams panels through: a panel as it is written, and two pieces of it as they are
/// in the source, small enough for a cache.
final class PanelBuffers: @unchecked Sendable {  // Each worker has its own.
  /// Values of a piece: 256 KiB.
  static let pieceCount = 1 << 16

  private let panel: UnsafeMutableBufferPointer<Float>
  private let pieces: [UnsafeMutableBufferPointer<Float>]

  /// Buffers for panels of at most `count` values.
  init(count: Int) {
    panel = .allocate(capacity: count)
    pieces = (0..<2).map { _ in .allocate(capacity: min(count, Self.pieceCount)) }
  }

  deinit {
    panel.deallocate()
    for piece in pieces { piece.deallocate() }
  }

  /// Values in the order in which they are written.
  func arranged(_ count: Int) -> UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(rebasing: panel[..<count])
  }

  /// Some values in the order of the source.
  func values(_ count: Int) -> UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(rebasing: pieces[0][..<count])
  }

  /// The same values, to compare with.
  func restored(_ count: Int) -> UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(rebasing: pieces[1][..<count])
  }

  /// The place for `count` values in the form in which they are written.
  func encoded(_ count: Int, _ type: ElementType) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      rebasing: UnsafeMutableRawBufferPointer(pieces[0])[..<(count * type.byteCount)])
  }
}

/// The buffers of a pool, made when a worker first needs them.
package final class WorkerBuffers: Sendable {
  /// Values in a panel, at most.
  package let panelCount: Int
  private let buffers: Mutex<[Int: PanelBuffers]> = Mutex([:])

  /// Buffers for panels of `panelCount` values.
  package init(panelCount: Int) {
    self.panelCount = panelCount
  }

  /// The buffers of one worker.
  subscript(worker: Int) -> PanelBuffers {
    buffers.withLock { buffers in
      if let own = buffers[worker] { return own }
      let own = PanelBuffers(count: panelCount)
      buffers[worker] = own
      return own
    }
  }
}
