#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How much memory panels take.
public struct PanelMemory: Sendable, Equatable {
  /// Bytes of all buffers of all workers, about.
  public let byteCount: Int
  /// Threads that work on the panels of a tensor.
  public let workers: Int

  /// What a process of 96 MiB has for panels.
  public static let standard = PanelMemory(processLimit: 96 << 20)

  /// What everything but the panels takes at most: program, libraries, the model, buffers of files.
  private static let rest = 64 << 20

  /// The least that a process can be limited to.
  public static let leastProcessLimit = rest + (8 << 20)

  /// Panels for a process that is to stay below `processLimit` bytes, for at most four workers.
  public init(processLimit: Int) {
    self.init(
      byteCount: max(processLimit, Self.leastProcessLimit) - Self.rest,
      workers: max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
  }

  /// Memory of `byteCount`, shared by `workers`.
  public init(byteCount: Int, workers: Int) {
    self.byteCount = byteCount
    self.workers = workers
  }

  /// Values in a panel: every worker has one of float32, and two pieces.
  package var panelCount: Int {
    max(1, byteCount / workers / MemoryLayout<Float>.size - 2 * PanelBuffers.pieceCount)
  }
}
