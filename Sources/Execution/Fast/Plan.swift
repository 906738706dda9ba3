import ModelIR

/// How a batch of known shape is run: what, in which order, and in which memory.
///
/// A mini-batch of at most ``images`` is the unit of work of a thread. Within it, a stage takes a few
/// images at a time through all of its steps, so that what one step writes is still in the cache when
/// the next reads it. Stages end where layers are that prefer many images.
struct Plan: Sendable {
  /// Where a value lies.
  enum Location: Sendable, Equatable {
    /// In the array of a model's input.
    case input(Int)
    /// In the array of a result.
    case result(Int)
    /// In the thread's memory, all images of the mini-batch.
    case miniBatch(offset: Int)
    /// In the thread's memory, the images that the stage is at.
    case stage(offset: Int)
  }

  /// A value: where it lies, and its size in an image.
  struct Operand: Sendable, Equatable {
    let place: Location
    let count: Int
  }

  /// A layer's work.
  struct Step: Sendable {
    let layer: String
    let kernel: any KernelStep
    let inputs: [Operand]
    let outputs: [Operand]
    /// Where its scratch memory starts.
    let scratch: Int
  }

  /// Steps that a few images go through together.
  struct Stage: Sendable {
    let steps: [Step]
    /// Images at a time.
    let images: Int
  }

  /// One after the other.
  let stages: [Stage]
  /// The largest mini-batch.
  let images: Int
  /// Values of memory that a thread needs.
  let arenaCount: Int
  /// The places of the values to return, by name.
  let results: [String: Location]
  /// Values in an image of each result array.
  let resultCounts: [Int]

  /// The mini-batches of `batch` images.
  func miniBatches(of batch: Int) -> Int { (batch + images - 1) / images }

  /// Whether `threads` threads share each step, because there are too few mini-batches for all of them.
  func isShared(batch: Int, threads: Int) -> Bool { miniBatches(of: batch) < threads }

  /// Values of scratch memory that a thread needs that helps another.
  var scratchCount: Int {
    ArenaLayout.padded(stages.flatMap(\.steps).map(\.kernel.scratchCount).max() ?? 0)
  }

  /// Values of memory that `threads` threads need.
  func memoryCount(batch: Int, threads: Int) -> Int {
    isShared(batch: batch, threads: threads)
      ? arenaCount + (threads - 1) * scratchCount : threads * arenaCount
  }
}
