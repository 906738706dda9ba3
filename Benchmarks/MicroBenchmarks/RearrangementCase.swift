import Benchmark
import ModelIR

/// A rearrangement in memory, against memcpy of the same bytes by the same core.
struct RearrangementCase: Sendable {
  let source: String
  let target: String
  let sizes: [Axis: Int]

  /// Convolution kernels of 9 MB, and the 411 MB of VGG16's first fully-connected kernel.
  static let all = [
    RearrangementCase(source: "HWIO", target: "OHWI", sizes: convolution),
    RearrangementCase(source: "OIHW", target: "OHWI", sizes: convolution),
    RearrangementCase(
      source: "IO", target: "OI", sizes: [.inputChannels: 25088, .outputChannels: 4096]),
  ]

  private static let convolution: [Axis: Int] = [
    .height: 3, .width: 3, .inputChannels: 512, .outputChannels: 512,
  ]

  func add() {
    Benchmark("rearrangement \(source) to \(target)") {
      (benchmark, prepared: (copy: StridedCopy, memory: MemoryCopy)) in
      let (copy, memory) = prepared
      benchmark.measure {
        copy.run(memory.source, memory.destination)
        return Double(2 * copy.count * MemoryLayout<Float>.size)
      } against: {
        memory.run()
      }
    } setup: {
      guard let source = Layout(source), let target = Layout(target) else {
        preconditionFailure("\(source) and \(target) are layouts")
      }
      let copy = try Rearrangement(from: source, to: target, sizes: sizes).copy
      return (copy: copy, memory: MemoryCopy(byteCount: copy.count * MemoryLayout<Float>.size))
    }
  }
}
