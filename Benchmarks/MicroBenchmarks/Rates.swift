import Benchmark

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension BenchmarkMetric {
  /// What the work did in a second of CPU time, in millions of operations or bytes.
  static var rate: BenchmarkMetric { custom("Rate", polarity: .prefersLarger) }
  /// The same of what the core can do at most.
  static var bound: BenchmarkMetric { custom("Bound", polarity: .prefersLarger) }
}

extension Benchmark {
  /// Measures the work, then what bounds it.
  ///
  /// Both return how much they did, in the same unit.
  func measure(_ work: () throws -> Double, against bound: () -> Double) {
    do {
      measurement(.rate, Int((try rate(of: work) / 1e6).rounded()))
      measurement(.bound, Int((rate(of: bound) / 1e6).rounded()))
    } catch {
      self.error("\(error)")
    }
  }

  /// What `work` does in a second; it is repeated until there is enough for the clock.
  private func rate(of work: () throws -> Double) rethrows -> Double {
    var amount = 0.0
    var seconds = 0.0
    let start = cpuSeconds()
    repeat {
      amount += try work()
      seconds = cpuSeconds() - start
    } while seconds < 0.002
    return amount / seconds
  }
}

/// CPU time of this process; that of other processes does not count.
private func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
