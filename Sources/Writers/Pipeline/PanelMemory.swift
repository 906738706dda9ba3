internal import Memory

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The memory budget for panels.
public struct PanelMemory: Sendable, Equatable {
  /// The approximate size of all buffers of all workers, in bytes.
  public let byteCount: Int
  /// The number of threads that work on the panels of a tensor.
  public let workers: Int

  /// The budget of a process limited to 96 MiB.
  public static let standard = PanelMemory(processLimit: 96 << 20, readsThroughLibrary: true)

  /// The memory of a process before it has read a model: program and libraries.
  private static let program = 32 << 20

  /// The memory of a conversion apart from panels: file buffers, the manifest.
  private static let rest = 16 << 20

  /// The memory of libhdf5 for decoded chunks and its own buffers.
  private static let reader = 16 << 20

  /// The minimum memory for panels.
  private static let least = 8 << 20

  /// The smallest supported limit of a process.
  public static let leastProcessLimit = program + rest + reader + least

  /// Creates a budget for a process limited to `processLimit` bytes, for at most four workers.
  ///
  /// Panels get the memory that the process, which has read the model by now, has not used, but at most half of the
  /// memory still available.
  /// - Parameter readsThroughLibrary: true if values are read through libhdf5.
  public init(processLimit: Int, readsThroughLibrary: Bool) {
    let others = max(Self.program, Self.taken) + Self.rest + (readsThroughLibrary ? Self.reader : 0)
    let available = min(processLimit - others, MachineMemory.left.bytes / 2)
    self.init(
      byteCount: max(available, Self.least),
      workers: MachineMemory.threads(min(4, MachineMemory.coreCount)))
  }

  /// The peak memory usage of this process so far.
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

  /// Creates a budget of `byteCount` bytes, shared by `workers`.
  public init(byteCount: Int, workers: Int) {
    self.byteCount = byteCount
    self.workers = workers
  }

  /// The number of values per panel: each worker has one panel of float32, and two pieces.
  package var panelCount: Int {
    max(1, byteCount / workers / MemoryLayout<Float>.size - 2 * PanelBuffers.pieceCount)
  }
}
