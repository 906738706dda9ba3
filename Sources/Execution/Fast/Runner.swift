import ModelIR
import Synchronization

/// Takes one batch through a plan.
struct Runner: @unchecked Sendable {
  let plan: Plan
  let batch: Int
  /// The arrays of the model's inputs.
  let inputs: [UnsafePointer<Float>]
  /// The arrays to fill.
  let results: [UnsafeMutablePointer<Float>]
  /// Asked before each step.
  let checkCancellation: @Sendable () throws(NetconvError) -> Void

  /// Runs the batch on `threads` threads.
  ///
  /// - Throws: what the first layer to fail throws.
  func run(threads: Int) throws(NetconvError) {
    let miniBatches = (batch + plan.images - 1) / plan.images
    let failure = Mutex<NetconvError?>(nil)
    let next = Atomic(0)
    let workers = min(threads, miniBatches)
    // Too few mini-batches for all threads: they help with the parts of each step instead.
    let team = miniBatches < threads ? Team(threads: threads) : .alone
    Team(threads: miniBatches < threads ? 1 : workers).perform(workers) { _ in
      let memory = WorkerMemory(plan)
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < miniBatches, failure.withLock({ $0 == nil }) else { return }
        do throws(NetconvError) {
          let first = index * plan.images
          try run(first..<min(batch, first + plan.images), memory, team)
        } catch {
          failure.withLock { $0 = $0 ?? error }
        }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  private func run(
    _ images: Range<Int>, _ memory: WorkerMemory, _ team: Team
  ) throws(NetconvError) {
    for stage in plan.stages {
      for first in stride(from: 0, to: images.count, by: stage.images) {
        let count = min(stage.images, images.count - first)
        for step in stage.steps {
          try checkCancellation()
          for (index, input) in step.inputs.enumerated() {
            memory.inputs[index] = UnsafePointer(address(input, images, first, memory))
          }
          try step.kernel.run(
            Operands(
              images: count, inputs: UnsafePointer(memory.inputs),
              output: address(step.output, images, first, memory),
              scratch: memory.arena.base + step.scratch, team: team))
        }
      }
    }
  }

  private func address(
    _ operand: Plan.Operand, _ images: Range<Int>, _ first: Int, _ memory: WorkerMemory
  ) -> UnsafeMutablePointer<Float> {
    let image = images.lowerBound + first
    return switch operand.place {
    // Inputs are only read.
    case .input(let index): UnsafeMutablePointer(mutating: inputs[index]) + image * operand.count
    case .result(let index): results[index] + image * operand.count
    case .miniBatch(let offset): memory.arena.base + offset + first * operand.count
    case .stage(let offset): memory.arena.base + offset
    }
  }
}

/// What a thread writes to while it runs mini-batches, allocated once.
private final class WorkerMemory {
  let arena: AlignedBuffer<Float>
  /// The inputs of the step that is running.
  let inputs: UnsafeMutablePointer<UnsafePointer<Float>>

  init(_ plan: Plan) {
    arena = AlignedBuffer(uninitializedCount: max(1, plan.arenaCount))
    let most = plan.stages.flatMap(\.steps).map(\.inputs.count).max() ?? 0
    inputs = .allocate(capacity: max(1, most))
  }

  deinit { inputs.deallocate() }
}
