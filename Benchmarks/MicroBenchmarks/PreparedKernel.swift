import Execution
import ModelIR

/// The layers of a case on one level of vector instructions, and what bounds them.
struct PreparedKernel {
  private let bound: KernelCase.Bound
  private let level: CPULevel
  private let layers: [PreparedLayer]
  /// Half of the bytes, as a copy reads them and writes them.
  private let copy: MemoryCopy

  init(_ kernel: KernelCase, _ level: CPULevel) throws(NetconvError) {
    bound = kernel.bound
    self.level = level
    layers = try kernel.layers.map { layer throws(NetconvError) in
      try PreparedLayer(layer, level)
    }
    copy = MemoryCopy(byteCount: layers.reduce(0) { $0 + $1.byteCount } / 2)
  }

  /// Runs every layer once.
  ///
  /// - Returns: operations or bytes, whichever the bound counts.
  func run() throws(NetconvError) -> Double {
    for layer in layers { try layer.run() }
    return switch bound {
    case .arithmetic: layers.reduce(0) { $0 + $1.operations }
    case .memory: layers.reduce(0) { $0 + Double($1.byteCount) }
    }
  }

  /// Does what the core can do at most.
  ///
  /// - Returns: operations or bytes.
  func runBound() -> Double {
    switch bound {
    case .arithmetic: level.runPeak(iterations: 1 << 18)
    case .memory: copy.run()
    }
  }
}
