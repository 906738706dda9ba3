internal import Memory

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
  public static let standard = PanelMemory(processLimit: 96 << 20, readsThroughLibrary: true)

  /// What a process takes for itself before it has read a model: program and libraries.
  private static let program = 32 << 20

  /// What a conversion takes besides panels: buffers of files, the manifest.
  private static let rest = 16 << 20

  /// What libhdf5 takes for decoded chunks and its own buffers.
  private static let reader = 16 << 20

  /// What panels have in any case.
  private static let least = 8 << 20

  /// The least that a process can be limited to.
  public static let leastProcessLimit = program + rest + reader + least

  /// Panels for a process that is to stay below `processLimit` bytes, for at most four workers.
  ///
  /// They get what the process, which has read the model by now, has not taken; no more than half of what it may still
  /// take at all.
  /// - Parameter readsThroughLibrary: whether values are read through libhdf5.
  public init(processLimit: Int, readsThroughLibrary: Bool) {
    let others = max(Self.program, Self.taken) + Self.rest + (readsThroughLibrary ? Self.reader : 0)
    let available = min(processLimit - others, MachineMemory.left.bytes / 2)
    self.init(
      byteCount: max(available, Self.least),
      workers: MachineMemory.threads(min(4, MachineMemory.coreCount)))
  }

  /// The most that this process has had in memory so far.
  private static var taken: Int {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss << 10  // Linux counts KiB, macOS bytes.
    #else
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #endif
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
