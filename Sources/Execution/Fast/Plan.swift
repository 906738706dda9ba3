import ModelIR

/// How a batch of known shape is run: what, in which order, and in which memory.
///
/// A mini-batch of at most ``images`` is the unit of work of a thread. Within it, a stage takes a few
/// images at a time through all of its steps, so that what one step writes is still in the cache when
/// the next reads it. Stages end where layers are that prefer many images.
struct Plan: Sendable {
  /// Where a value lies.
  enum Place: Sendable, Equatable {
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
    let place: Place
    let count: Int
  }

  /// A layer's work.
  struct Step: Sendable {
    let layer: String
    let kernel: any KernelStep
    let inputs: [Operand]
    let output: Operand
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
  /// What to return: which array holds the values of a layer.
  let results: [String: Place]
  /// Values in an image of each result array.
  let resultCounts: [Int]
}
