internal import Memory
import ModelIR
import Operators

/// The memory that a run needs in addition to the parameters; see ``ParameterMemory`` for these.
package enum RunMemory {
  /// The number of bytes that are assumed to be available.
  private static let unasked = 64 << 20

  /// Checks that `bytes` more are available for a run on `samples` samples.
  ///
  /// - Throws: `usage`.
  package static func check(_ bytes: Int, samples: Int) throws(NetconvError) {
    guard bytes > unasked else { return }
    let available = MachineMemory.left
    guard bytes <= available.bytes else {
      throw .runTooLarge(bytes, available: available, samples: samples)
    }
  }

  /// Checks that there is enough memory for runs by the operators' definitions, in Double.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - batch: the batch.
  ///   - kept: the layers whose values are kept.
  ///   - runs: the number of simultaneous runs per sample.
  ///   - samples: the number of simultaneous samples; limited to the number of cores.
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
  /// Returns the peak number of values while the layers run one after another, including copies and tables.
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
  /// Returns the number of input and output values of the layer.
  private func count(_ shapes: [String: [Int]]) -> Int {
    (inputs + outputs.map(\.name)).reduce(0) { $0 + (shapes[$1] ?? []).reduce(1, *) }
  }

  /// Returns the number of temporary values in evaluating the definition: copies, and index lists that grow.
  fileprivate func definitionCount(_ shapes: [String: [Int]]) -> Int {
    4 * count(shapes) + samplingBytes(shapes) / MemoryLayout<Double>.size
  }

  /// Returns the size in bytes of a fast kernel's index lists, or of the definition's temporaries if there is no such
  /// kernel.
  func tableBytes(_ shapes: [String: [Int]], isFallback: Bool) -> Int {
    if isFallback { return definitionCount(shapes) * MemoryLayout<Double>.size }
    if FastKernels.type(for: operation)?.listsPlaces == true {
      return 3 * MemoryLayout<Int>.size * count(shapes)
    }
    return samplingBytes(shapes)
  }

  /// Returns the size in bytes of an image's sampling weights: a list of taps for each row and column.
  private func samplingBytes(_ shapes: [String: [Int]]) -> Int {
    guard operation is any SamplingOperator else { return 0 }
    return (inputs + [name]).reduce(0) { $0 + (shapes[$1] ?? []).prefix(2).reduce(0, +) * 512 }
  }
}

extension NetconvError {
  fileprivate static func runTooLarge(_ bytes: Int, available: MemoryLimit, samples count: Int)
    -> NetconvError
  {
    NetconvError(
      .usage,
      "running \(samples(count)) needs \(byteText(bytes)) of memory, and there are "
        + "\(available.rest); run on smaller batches or smaller inputs")
  }
}
