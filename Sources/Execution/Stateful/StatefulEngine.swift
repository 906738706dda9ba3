import ModelIR
import Synchronization

/// An engine for models with stateful layers: sequence i continues from the final state of sequence i - batch.
///
/// It counts sequences across runs, so that a data set can be run in parts of any size. Runs are serialised: a second
/// one waits.
final class StatefulEngine: Engine {
  private let original: Model
  private let opened: OpenedStates
  private let engine: any Engine
  private let results: Set<String>
  private let memory: Mutex<Remembered>

  /// The data kept between runs.
  private struct Remembered {
    /// The number of sequences so far.
    var count = 0
    /// The final states of the last sequences by input name, at their index modulo the batch.
    var states: [String: [Float]]
  }

  /// Creates an engine for `model`.
  ///
  /// - Parameters:
  ///   - opened: the model with its states as inputs and outputs.
  ///   - make: creates the underlying engine, which must keep the given layers.
  ///   - results: the values to return.
  init(
    _ opened: OpenedStates, of model: Model, results: Set<String>,
    _ make: (Set<String>) throws(NetconvError) -> any Engine
  ) throws(NetconvError) {
    for state in opened.states {
      _ = try MemoryBound.values(
        state.shape, samples: state.batch, byteCount: MemoryLayout<Float>.size)
    }
    self.opened = opened
    self.results = results
    original = model
    engine = try make(results.union(opened.states.map(\.output)))
    memory = Mutex(Remembered(states: opened.zeros))
  }

  var fallbacks: [String] { engine.fallbacks }

  func resetStates() {
    memory.withLock { $0 = Remembered(states: opened.zeros) }
  }

  func run(
    _ inputs: [String: NDArray<Float>],
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> [String: NDArray<Float>] {
    let batch = try BatchShapes(of: inputs, for: original, byteCount: MemoryLayout<Float>.size)
      .batch
    return try memory.withLock { memory throws(NetconvError) in
      var parts: [String: [Float]] = [:]
      var shapes: [String: [Int]] = [:]
      var first = 0
      repeat {
        try checkCancellation()
        let part = first..<min(batch, first + length(from: memory.count))
        let outputs = try run(part, of: inputs, &memory, checkCancellation)
        for name in results {
          guard let output = outputs[name] else { continue }
          parts[name, default: []] += output.values
          shapes[name] = Array(output.shape.dropFirst())
        }
        first = part.upperBound
      } while first < batch
      var arrays: [String: NDArray<Float>] = [:]
      for (name, values) in parts {
        arrays[name] = NDArray(shape: [batch] + (shapes[name] ?? []), values: values)
      }
      return arrays
    }
  }

  /// Returns the number of sequences that can run together from the sequence with index `count`: up to the end of each
  /// state's batch.
  private func length(from count: Int) -> Int {
    opened.states.map { $0.batch - count % $0.batch }.min() ?? 1
  }

  private func run(
    _ part: Range<Int>, of inputs: [String: NDArray<Float>], _ memory: inout Remembered,
    _ checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> [String: NDArray<Float>] {
    var fed = inputs.mapValues { $0.samples(part) }
    for state in opened.states {
      let values = memory.states[state.input] ?? []
      fed[state.input] = NDArray(
        shape: [part.count] + state.shape,
        values: Array(values[state.place(of: memory.count, part.count)]))
    }
    let outputs = try engine.run(fed, checkCancellation: checkCancellation)
    for state in opened.states {
      guard let output = outputs[state.output] else { continue }
      memory.states[state.input]?.replaceSubrange(
        state.place(of: memory.count, part.count), with: output.values)
    }
    memory.count += part.count
    return outputs
  }
}

extension OpenedStates {
  /// The initial states.
  fileprivate var zeros: [String: [Float]] {
    Dictionary(
      uniqueKeysWithValues: states.map { state in
        (state.input, [Float](repeating: 0, count: state.shape.reduce(state.batch, *)))
      })
  }
}

extension OpenedStates.Carried {
  /// Returns the range of the values of `count` sequences, from the sequence with index `first`.
  fileprivate func place(of first: Int, _ count: Int) -> Range<Int> {
    let size = shape.reduce(1, *)
    let start = first % batch * size
    return start..<start + count * size
  }
}
