internal import Memory
import ModelIR
import Operators

/// What running a model takes in memory besides its parameters; see ``ParameterMemory`` for these.
package enum RunMemory {
  /// So much is there without asking.
  private static let unasked = 64 << 20

  /// Checks that `bytes` more can be had for a run on so many samples.
  ///
  /// - Throws: `usage`.
  package static func check(_ bytes: Int, samples: Int) throws(NetconvError) {
    guard bytes > unasked else { return }
    let available = MachineMemory.left
    guard bytes <= available.bytes else {
      throw .runTooLarge(bytes, available: available, samples: samples)
    }
  }

  /// Checks that there is memory for runs of samples as operators are defined, in Double.
  ///
  /// - Parameters:
  ///   - model: what is run.
  ///   - batch: what it is run on.
  ///   - kept: layers whose values stay.
  ///   - runs: of each sample at the same time.
  ///   - samples: at the same time; no more than there are cores.
  /// - Throws: `usage`.
  package static func check(
    _ model: Model, on batch: BatchShapes, keeping kept: Set<String> = [], runs: Int = 1,
    atOnce samples: Int = 1
  ) throws(NetconvError) {
    let atOnce = max(1, min(samples, CPULevel.coreCount))
    let count = atOnce * model.peakCount(batch.shapes, keeping: kept, runs: runs)
    try check(count * MemoryLayout<Double>.size, samples: batch.batch)
  }
}

extension Model {
  /// The most values that are there at once while the layers run one after the other, copies and tables included.
  fileprivate func peakCount(
    _ shapes: [String: [Int]], keeping kept: Set<String>, runs: Int
  ) -> Int {
    let counts = shapes.mapValues { $0.reduce(1, *) }
    var live = inputs.reduce(0) { $0 + (counts[$1.name] ?? 0) }
    var peak = live
    for (index, layer) in layers.enumerated() {
      for output in layer.outputs { live += counts[output.name] ?? 0 }
      peak = max(peak, runs * (live + layer.definitionCount(shapes)))
      for input in Set(layer.inputs) where lastReader(of: input) == index && !kept.contains(input) {
        live -= counts[input] ?? 0
      }
    }
    return peak
  }
}

extension Layer {
  /// The values that the layer reads and gives.
  private func count(_ shapes: [String: [Int]]) -> Int {
    (inputs + outputs.map(\.name)).reduce(0) { $0 + (shapes[$1] ?? []).reduce(1, *) }
  }

  /// Values that evaluating the definition takes besides: copies, and lists of places that grow as they are made.
  fileprivate func definitionCount(_ shapes: [String: [Int]]) -> Int {
    4 * count(shapes) + samplingBytes(shapes) / MemoryLayout<Double>.size
  }

  /// Bytes that a fast kernel takes for lists of places, or for the definition where there is no such kernel.
  func tableBytes(_ shapes: [String: [Int]], isFallback: Bool) -> Int {
    if isFallback { return definitionCount(shapes) * MemoryLayout<Double>.size }
    if FastKernels.type(for: operation)?.listsPlaces == true {
      return 3 * MemoryLayout<Int>.size * count(shapes)
    }
    return samplingBytes(shapes)
  }

  /// Bytes that an image's sampling takes: of each row and column a list with some pixels and their shares.
  private func samplingBytes(_ shapes: [String: [Int]]) -> Int {
    guard operation is any SamplingOperator else { return 0 }
    return (inputs + [name]).reduce(0) { $0 + (shapes[$1] ?? []).prefix(2).reduce(0, +) * 512 }
  }
}
