import Lowering
import ModelIR

/// A planner for the memory and the stages of a run.
struct Planner {
  private let storage: KernelPlan
  private let split: StageSplit
  private let results: [String: Int]
  /// The storages that are result arrays, in order.
  private let resultStorages: [Int]
  private let crossing: Set<Int>
  /// The storages in a thread's memory.
  private let buffered: [Int]

  /// Prepares a plan for mini-batches of at most `limit` images.
  init(
    _ model: Model, _ kernels: LayerKernels, _ shapes: [String: [Int]], results: Set<String>,
    limit: Int
  ) throws(NetconvError) {
    let storage = try KernelPlan(model, kernels, shapes, results: results)
    self.storage = storage
    split = StageSplit(storage, limit: limit)
    crossing = StageSplit.crossing(storage, split.ranges)
    self.results = storage.storages.filter { results.contains($0.key) }
    let resultStorages = Set(self.results.values).filter { $0 >= storage.inputCount }.sorted()
    self.resultStorages = resultStorages
    buffered = Set(storage.steps.flatMap(\.outputs)).subtracting(resultStorages).sorted()
  }

  /// Returns the plan.
  ///
  /// - Throws: `usage` if it exceeds the memory limit.
  func plan() throws(NetconvError) -> Plan {
    let layout = try ArenaLayout(try bufferRequests() + scratchRequests())
    var places: [Int: Plan.Location] = [:]
    for index in 0..<storage.inputCount { places[index] = .input(index) }
    for (index, storage) in resultStorages.enumerated() { places[storage] = .result(index) }
    for (index, storage) in buffered.enumerated() {
      let offset = layout.offsets[index]
      places[storage] =
        crossing.contains(storage) ? .miniBatch(offset: offset) : .stage(offset: offset)
    }
    let scratch = layout.offsets.dropFirst(buffered.count)
    let steps = zip(storage.steps, scratch).map { step, scratch in
      Plan.Step(
        layer: step.layer, kernel: step.work, inputs: step.inputs.map { operand($0, places) },
        outputs: step.outputs.map { operand($0, places) }, scratch: scratch)
    }
    return Plan(
      stages: zip(split.ranges, split.images).map { .init(steps: Array(steps[$0]), images: $1) },
      images: split.miniBatch, arenaCount: layout.count,
      results: results.compactMapValues { places[$0] },
      resultCounts: resultStorages.map { storage.counts[$0] })
  }

  private func operand(_ index: Int, _ places: [Int: Plan.Location]) -> Plan.Operand {
    Plan.Operand(place: places[index] ?? .input(0), count: storage.counts[index])
  }

  private func bufferRequests() throws(NetconvError) -> [ArenaLayout.Request] {
    var requests: [ArenaLayout.Request] = []
    for index in buffered {
      let uses = storage.steps.indices.filter {
        storage.steps[$0].outputs.contains(index) || storage.steps[$0].inputs.contains(index)
      }
      let first = uses.first ?? 0
      let last = uses.last ?? first
      let isCrossing = crossing.contains(index)
      let images = isCrossing ? split.miniBatch : split.images[stage(of: first)]
      requests.append(
        .init(
          count: try MemoryBound.values(
            [storage.counts[index]], samples: images, byteCount: MemoryLayout<Float>.size),
          // A stage repeats its steps; values read by other stages must survive all iterations.
          lifetime: isCrossing ? stages(first, last) : first...last))
    }
    return requests
  }

  private func scratchRequests() -> [ArenaLayout.Request] {
    storage.steps.enumerated().map { index, step in
      .init(count: step.work.scratchCount, lifetime: index...index)
    }
  }

  /// Returns all steps of the stages from one step's to another's.
  private func stages(_ first: Int, _ last: Int) -> ClosedRange<Int> {
    let (from, to) = (split.ranges[stage(of: first)], split.ranges[stage(of: last)])
    return from.lowerBound...max(from.lowerBound, to.upperBound - 1)
  }

  private func stage(of step: Int) -> Int {
    split.ranges.firstIndex { $0.contains(step) } ?? 0
  }
}
