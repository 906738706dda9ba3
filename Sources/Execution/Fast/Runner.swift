import Dispatch
import ModelIR
import Synchronization

/// A run of one batch according to a plan.
struct Runner: @unchecked Sendable {
  let plan: Plan
  let batch: Int
  /// The addresses of the model's inputs.
  let inputs: [UnsafePointer<Float>]
  /// The addresses of the arrays to fill.
  let results: [UnsafeMutablePointer<Float>]
  /// Called before each step.
  let checkCancellation: @Sendable () throws(NetconvError) -> Void

  /// Runs the batch on `threads` threads.
  ///
  /// - Throws: the error of the first layer that fails.
  func run(threads: Int) throws(NetconvError) {
    let miniBatches = plan.miniBatches(of: batch)
    let progress = Progress()
    if plan.isShared(batch: batch, threads: threads) {
      ThreadTeam.gather(threads) { team in run(miniBatches, progress, team) }
    } else {
      DispatchQueue.concurrentPerform(iterations: threads) { _ in
        run(miniBatches, progress, .alone)
      }
    }
    try progress.check()
  }

  /// Processes mini-batches until none is left.
  private func run(_ miniBatches: Int, _ progress: Progress, _ team: ThreadTeam) {
    let memory = WorkerMemory(plan, threads: team.threads)
    while let index = progress.next(below: miniBatches) {
      do throws(NetconvError) {
        let first = index * plan.images
        try run(first..<min(batch, first + plan.images), memory, team)
      } catch {
        progress.fail(error)
      }
    }
  }

  private func run(
    _ images: Range<Int>, _ memory: WorkerMemory, _ team: ThreadTeam
  ) throws(NetconvError) {
    for stage in plan.stages {
      for first in stride(from: 0, to: images.count, by: stage.images) {
        let count = min(stage.images, images.count - first)
        for step in stage.steps {
          try checkCancellation()
          for (index, input) in step.inputs.enumerated() {
            memory.inputs[index] = UnsafePointer(address(input, images, first, memory))
          }
          for (index, output) in step.outputs.enumerated() {
            memory.outputs[index] = address(output, images, first, memory)
          }
          memory.scratches[0] = memory.arena.base + step.scratch
          do throws(NetconvError) {
            try step.kernel.run(
              Operands(
                images: count, inputCount: step.inputs.count, inputs: UnsafePointer(memory.inputs),
                output: memory.outputs[0], furtherOutputs: UnsafePointer(memory.outputs + 1),
                scratches: UnsafePointer(memory.scratches), team: team))
          } catch {
            throw error.layer == nil ? error.inLayer(step.layer) : error
          }
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

/// The progress over mini-batches, and the first error.
private final class Progress: Sendable {
  private let taken = Atomic(0)
  private let failure = Mutex<NetconvError?>(nil)

  /// Returns the next mini-batch, or `nil` if there is none left or one has failed.
  func next(below count: Int) -> Int? {
    let index = taken.wrappingAdd(1, ordering: .relaxed).oldValue
    return index < count && failure.withLock { $0 == nil } ? index : nil
  }

  /// Records the first error.
  func fail(_ error: NetconvError) {
    failure.withLock { $0 = $0 ?? error }
  }

  func check() throws(NetconvError) {
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}

/// The memory of a thread and its helpers during mini-batches; allocated once.
private final class WorkerMemory {
  let arena: AlignedBuffer<Float>
  /// The inputs of the current step.
  let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  /// The outputs of the current step.
  let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Each thread's scratch memory; the first thread's is in the arena, at a different offset for each step.
  let scratches: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let helpersScratch: AlignedBuffer<Float>

  init(_ plan: Plan, threads: Int) {
    arena = AlignedBuffer(uninitializedCount: max(1, plan.arenaCount))
    let steps = plan.stages.flatMap(\.steps)
    inputs = .allocate(capacity: max(1, steps.map(\.inputs.count).max() ?? 0))
    outputs = .allocate(capacity: max(1, steps.map(\.outputs.count).max() ?? 0))
    let scratchCount = plan.scratchCount
    helpersScratch = AlignedBuffer(uninitializedCount: max(1, (threads - 1) * scratchCount))
    scratches = .allocate(capacity: threads)
    scratches.initialize(to: arena.base)
    for thread in 1..<max(1, threads) {
      (scratches + thread).initialize(to: helpersScratch.base + (thread - 1) * scratchCount)
    }
  }

  deinit {
    inputs.deallocate()
    outputs.deallocate()
    scratches.deallocate()
  }
}
