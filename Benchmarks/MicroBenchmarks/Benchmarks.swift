import Benchmark
import Execution

/// What `make microbench` runs: each benchmark measures work and what bounds it in turns.
///
/// `Tools/bench` compares the two. Their ratio holds on any machine; seconds do not, nor do instructions where
/// the processor's counters are out of reach.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.rate, .bound], units: [.rate: .count, .bound: .count], warmupIterations: 2,
    maxDuration: .seconds(2), maxIterations: 400)
  for rearrangement in RearrangementCase.all { rearrangement.add() }
  DigestCase.add()
  for level in CPULevel.available {
    for kernel in KernelCase.all { kernel.add(on: level) }
  }
}
