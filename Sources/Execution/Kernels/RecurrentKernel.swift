import ModelIR
import Operators

/// The kernel for a recurrent layer: one matrix product for the inputs of many steps, then a small one for each step.
///
/// Several sequences are processed together, so that the packed recurrent weights are read once for all of them.
struct RecurrentKernel<Implemented: RecurrentOperator>: FastKernel {
  private let operation: Implemented
  private let cell: RecurrentCell
  private let level: CPULevel
  /// The input weights: inputs by gates and units, with the bias.
  private let input: PackedMatrix
  private let offsets: AlignedBuffer<Int>

  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    let kernel = parameters[.kernel]?.values ?? []
    let columns = operation.cell.gateCount * operation.units
    self.operation = operation
    self.level = level
    input = PackedMatrix(
      kernel, depth: kernel.count / columns, columns: 0..<columns,
      bias: parameters[.bias]?.values, panelWidth: level.tileColumns)
    offsets = AlignedBuffer(Array(0..<kernel.count / columns), filler: 0)
    cell = RecurrentCell(operation, parameters, level)
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    _ = try MemoryBound.values(
      [RecurrentStep.sequencesAtOnce, RecurrentStep.stepsAtOnce, input.columns], samples: 1,
      byteCount: MemoryLayout<Float>.size)
    return RecurrentStep(
      recurrence: operation.recurrence, cell: cell, level: level, input: input, offsets: offsets,
      length: inputs[0][0], stateCount: Implemented.stateCount)
  }
}

/// A recurrent layer for sequences of one length.
private struct RecurrentStep: KernelStep {
  /// The number of sequences processed together.
  static let sequencesAtOnce = 8
  /// The number of steps whose inputs are multiplied together.
  static let stepsAtOnce = 32

  let recurrence: Recurrence
  let cell: RecurrentCell
  let level: CPULevel
  let input: PackedMatrix
  let offsets: AlignedBuffer<Int>
  let length: Int
  let stateCount: Int

  /// The recurrent weights are read once for all sequences that are processed together.
  var prefersManyImages: Bool? { true }

  var scratchCount: Int {
    let each = Self.sequencesAtOnce
    return each * (Self.stepsAtOnce * input.columns + cell.scratchCount + 3 * cell.units)
  }

  func run(_ operands: Operands) {
    let (images, threads) = (operands.images, operands.team.threads)
    let size = max(1, min(Self.sequencesAtOnce, (images + threads - 1) / threads))
    guard images > size else { return run(0..<images, operands, operands.scratch, operands.team) }
    operands.team.perform((images + size - 1) / size) { block, thread in
      let first = block * size
      run(first..<min(images, first + size), operands, operands.scratches[thread], .alone)
    }
  }

  /// Runs some sequences through all steps.
  private func run(
    _ images: Range<Int>, _ operands: Operands, _ scratch: UnsafeMutablePointer<Float>,
    _ team: ThreadTeam
  ) {
    let (count, units) = (images.count, cell.units)
    let matrices = cell.products(count: count)
    let sums = scratch
    let states = sums + count * Self.stepsAtOnce * input.columns
    // The states h and c, followed by the output of the previous step.
    let (h, c, output) = (states, states + count * units, states + 2 * count * units)
    let work = states + 3 * count * units
    states.update(repeating: 0, count: 3 * count * units)
    if recurrence.takesState {
      let first = operands.inputCount - stateCount
      for index in 0..<stateCount {
        (states + index * count * units).update(
          from: operands.inputs[first + index] + images.lowerBound * units, count: count * units)
      }
    }
    for start in stride(from: 0, to: length, by: Self.stepsAtOnce) {
      let steps = start..<min(length, start + Self.stepsAtOnce)
      // When going backwards, the same number of steps from the other end.
      let places =
        recurrence.goesBackwards
        ? length - steps.upperBound..<length - steps.lowerBound : steps
      multiplyInputs(images, places, operands.inputs[0], sums, team)
      for step in steps {
        let place = recurrence.goesBackwards ? length - 1 - step : step
        let own = sums + (place - places.lowerBound) * count * input.columns
        let next = cell.next(own, h, c, count: count, work, matrices, team)
        for sequence in 0..<count {
          take(next, sequence, images.lowerBound + sequence, step, place, h, c, output, operands)
        }
      }
    }
    let first = images.lowerBound * units
    let result =
      switch recurrence.returns {
      case .sequence: UnsafeMutablePointer<Float>?.none
      case .last: output
      case .state: h
      case .cell: c
      }
    if let result { (operands.output + first).update(from: result, count: count * units) }
    guard recurrence.givesStates else { return }
    for (index, state) in [h, c].prefix(stateCount).enumerated() {
      (operands.output(1 + index) + first).update(from: state, count: count * units)
    }
  }

  /// Computes the sums of the inputs of some steps, step by step and within a step sequence by sequence.
  private func multiplyInputs(
    _ images: Range<Int>, _ places: Range<Int>, _ x: UnsafePointer<Float>,
    _ sums: UnsafeMutablePointer<Float>, _ team: ThreadTeam
  ) {
    let channels = input.depth
    let product = MatrixProduct(
      level: level, groups: [input], groupStride: 0,
      pixels: .init(
        perRow: images.count, perImage: images.count, stride: length * channels,
        imageStride: channels),
      offsets: offsets, bounds: -.infinity ... .infinity)
    let first = x + (images.lowerBound * length + places.lowerBound) * channels
    product.run(images: places.count, first, sums, team)
  }

  /// Updates the state of one sequence, unless the step is masked, and stores its output.
  private func take(
    _ next: RecurrentCell.State, _ sequence: Int, _ image: Int, _ step: Int, _ place: Int,
    _ h: UnsafeMutablePointer<Float>, _ c: UnsafeMutablePointer<Float>,
    _ output: UnsafeMutablePointer<Float>, _ operands: Operands
  ) {
    let (units, first) = (cell.units, sequence * cell.units)
    if recurrence.takesMask, operands.inputs[1][image * length + place] == 0 {
      if recurrence.zerosMasked { (output + first).update(repeating: 0, count: units) }
    } else {
      (h + first).update(from: next.h + first, count: units)
      if let cell = next.c { (c + first).update(from: cell + first, count: units) }
      (output + first).update(from: next.h + first, count: units)
    }
    guard recurrence.returns == .sequence else { return }
    (operands.output + (image * length + step) * units).update(from: output + first, count: units)
  }
}
