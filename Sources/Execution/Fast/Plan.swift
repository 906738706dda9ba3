import Lowering
import ModelIR

/// The plan of a run for known shapes: the steps, their order, and their memory.
///
/// A mini-batch of at most ``images`` images is the unit of work of a thread. Within it, a stage passes a few images at
/// a time through all of its steps, so that the output of one step is still in the cache when the next reads it. Stages
/// end at layers that prefer many images.
struct Plan: Sendable {
  /// The memory that contains a value.
  enum Location: Sendable, Equatable {
    /// The array of a model input.
    case input(Int)
    /// The array of a result.
    case result(Int)
    /// The thread's memory, for all images of the mini-batch.
    case miniBatch(offset: Int)
    /// The thread's memory, for the images of the current iteration of the stage.
    case stage(offset: Int)
  }

  /// A value: its location, and its size per image.
  struct Operand: Sendable, Equatable {
    let place: Location
    let count: Int
  }

  /// The work of a layer.
  struct Step: Sendable {
    let layer: String
    let kernel: any KernelStep
    let inputs: [Operand]
    let outputs: [Operand]
    /// The offset of its scratch memory.
    let scratch: Int
  }

  /// A sequence of steps that a few images pass together.
  struct Stage: Sendable {
    let steps: [Step]
    /// The number of images per iteration.
    let images: Int
  }

  /// The stages in execution order.
  let stages: [Stage]
  /// The maximum size of a mini-batch.
  let images: Int
  /// The number of values of memory that a thread needs.
  let arenaCount: Int
  /// The locations of the values to return, by name.
  let results: [String: Location]
  /// The number of values per image of each result array.
  let resultCounts: [Int]

  /// Returns the number of mini-batches of `batch` images.
  func miniBatches(of batch: Int) -> Int { (batch + images - 1) / images }

  /// Returns true if `threads` threads share each step, because there are too few mini-batches for all of them.
  func isShared(batch: Int, threads: Int) -> Bool { miniBatches(of: batch) < threads }

  /// The number of scratch values of a thread that helps another.
  var scratchCount: Int {
    ArenaLayout.padded(stages.flatMap(\.steps).map(\.kernel.scratchCount).max() ?? 0)
  }

  /// Returns the number of values of memory that `threads` threads need.
  func memoryCount(batch: Int, threads: Int) -> Int {
    isShared(batch: batch, threads: threads)
      ? arenaCount + (threads - 1) * scratchCount : threads * arenaCount
  }
}
