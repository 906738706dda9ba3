/// The steps of a plan cut into stages.
struct StageSplit {
  /// Places in the steps, one range per stage.
  let ranges: [Range<Int>]
  /// Images at a time, per stage.
  let images: [Int]
  /// The largest mini-batch.
  let miniBatch: Int

  /// What a stage's step may touch, in values: most of a typical L2 cache of 512 KiB.
  private static let stageBudget = (384 << 10) / MemoryLayout<Float>.size
  /// What the values that several stages use may take, in values: half of a core's share of L3, 4 MiB.
  private static let miniBatchBudget = (4 << 20) / MemoryLayout<Float>.size
  /// Enough images that the weights of a dense layer are read rarely.
  private static let mostImages = 96

  /// Cuts `plan`, for at most `limit` images at a time.
  init(_ plan: StoragePlan, limit: Int) {
    ranges = Self.ranges(plan.steps)
    let crossing = Self.crossing(plan, ranges).reduce(0) { $0 + plan.counts[$1] }
    let most = max(1, min(Self.mostImages, Self.miniBatchBudget / max(1, crossing)))
    let miniBatch = Self.evenShare(of: limit, most: most)
    self.miniBatch = miniBatch
    images = ranges.map { range in
      let steps = plan.steps[range]
      if steps.contains(where: { $0.kernel.prefersManyImages == true }) { return miniBatch }
      let largest = steps.map { step in
        Set(step.inputs + step.outputs).reduce(0) { $0 + plan.counts[$1] }
      }.max()
      return max(1, min(miniBatch, Self.stageBudget / max(1, largest ?? 1)))
    }
  }

  /// Mini-batches of one size, so that no thread is left with a large one at the end.
  private static func evenShare(of limit: Int, most: Int) -> Int {
    let rounds = (limit + most - 1) / most
    guard rounds > 1 else { return limit }
    // Whole tiles of dense layers, whose rows are images.
    let tile = 12
    let even = (limit + rounds - 1) / rounds
    return min(most, (even + tile - 1) / tile * tile)
  }

  /// A stage ends where a step that prefers many images meets one that is better off with few.
  private static func ranges(_ steps: [StoragePlan.NumberedStep]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    var isWide = false
    for (index, step) in steps.enumerated() {
      guard let prefersManyImages = step.kernel.prefersManyImages else { continue }
      if prefersManyImages != isWide, index > start {
        ranges.append(start..<index)
        start = index
      }
      isWide = prefersManyImages
    }
    return start < steps.count ? ranges + [start..<steps.count] : ranges
  }

  /// The storages that a stage writes and a later one reads.
  static func crossing(_ plan: StoragePlan, _ ranges: [Range<Int>]) -> Set<Int> {
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
