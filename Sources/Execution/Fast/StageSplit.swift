/// A split of a plan's steps into stages.
struct StageSplit {
  /// The ranges of steps, one per stage.
  let ranges: [Range<Int>]
  /// The number of images per iteration of each stage.
  let images: [Int]
  /// The maximum size of a mini-batch.
  let miniBatch: Int

  /// The number of values that a stage's step may access: most of a typical L2 cache of 512 KiB.
  private static let stageBudget = (384 << 10) / MemoryLayout<Float>.size
  /// The size limit of values shared between stages: half of a core's share of L3, 4 MiB.
  private static let miniBatchBudget = (4 << 20) / MemoryLayout<Float>.size
  /// The number of images that makes rereading a dense layer's weights negligible.
  private static let mostImages = 96

  /// Splits `plan`, for at most `limit` images at a time.
  init(_ plan: KernelPlan, limit: Int) {
    ranges = Self.ranges(plan.steps)
    let crossing = Self.crossing(plan, ranges).reduce(0) { $0 + plan.counts[$1] }
    let most = max(1, min(Self.mostImages, Self.miniBatchBudget / max(1, crossing)))
    let miniBatch = Self.evenShare(of: limit, most: most)
    self.miniBatch = miniBatch
    images = ranges.map { range in
      let steps = plan.steps[range]
      if steps.contains(where: { $0.work.prefersManyImages == true }) { return miniBatch }
      let largest = steps.map { step in
        Set(step.inputs + step.outputs).reduce(0) { $0 + plan.counts[$1] }
      }.max()
      return max(1, min(miniBatch, Self.stageBudget / max(1, largest ?? 1)))
    }
  }

  /// Returns an even size of mini-batches, so that no thread is left with a large one at the end.
  private static func evenShare(of limit: Int, most: Int) -> Int {
    let rounds = (limit + most - 1) / most
    guard rounds > 1 else { return limit }
    // A multiple of the tile height of dense layers, whose rows are images.
    let tile = 12
    let even = (limit + rounds - 1) / rounds
    return min(most, (even + tile - 1) / tile * tile)
  }

  /// Splits stages between steps that prefer many images and steps that prefer few.
  private static func ranges(_ steps: [KernelPlan.NumberedStep]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    var isWide = false
    for (index, step) in steps.enumerated() {
      guard let prefersManyImages = step.work.prefersManyImages else { continue }
      if prefersManyImages != isWide, index > start {
        ranges.append(start..<index)
        start = index
      }
      isWide = prefersManyImages
    }
    return start < steps.count ? ranges + [start..<steps.count] : ranges
  }

  /// Returns the storages that one stage writes and a later one reads.
  static func crossing(_ plan: KernelPlan, _ ranges: [Range<Int>]) -> Set<Int> {
    var producer: [Int: Int] = [:]
    var crossing: Set<Int> = []
    for (stage, range) in ranges.enumerated() {
      for step in plan.steps[range] {
        for input in step.inputs where producer[input].map({ $0 != stage }) ?? false {
          crossing.insert(input)
        }
        for output in step.outputs { producer[output] = stage }
      }
    }
    return crossing
  }
}
