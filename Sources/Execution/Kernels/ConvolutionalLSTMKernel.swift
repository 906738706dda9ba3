import Lowering
import ModelIR
import Operators

/// The kernel for convolutional LSTM, which uses two ``Convolution2DKernel`` per step.
struct ConvolutionalLSTMKernel<Space: SpatialAxes>: FastKernel {
  private let operation: SpatialConvolutionalLSTM<Space>
  /// The convolution of the input.
  private let input: Convolution2DKernel
  /// The convolution of the state.
  private let state: Convolution2DKernel
  private let level: CPULevel

  /// True if each position of the state can be computed separately: functions apply along the channels only.
  static func implements(_ operation: any Operator) -> Bool {
    guard let operation = operation as? SpatialConvolutionalLSTM<Space> else { return false }
    let channels = Space.axes.count
    return [operation.activation, operation.recurrentActivation].allSatisfy { function in
      function.axis.map { (try? $0.indices(rank: channels + 1)) == [channels] } ?? true
    }
  }

  init(
    _ operation: SpatialConvolutionalLSTM<Space>, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    self.operation = operation
    self.level = level
    var ofInput = parameters
    ofInput[.recurrent] = nil
    input = Convolution2DKernel(Self.planar(operation.inputConvolution), ofInput, level, Fusion())
    let recurrent = parameters[.recurrent].map { [ParameterRole.kernel: $0] }
    state = Convolution2DKernel(
      Self.planar(operation.stateConvolution), recurrent ?? [:], level, Fusion())
  }

  /// Returns the convolution over images; a sequence becomes an image of one row.
  private static func planar(_ convolution: SpatialConvolution<Space>) -> Convolution2D {
    switch convolution {
    case let line as Convolution1D: line.planar
    case let plane as Convolution2D: plane
    default: preconditionFailure("\(Space.self) has no kernel")
    }
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    let image = Array(inputs[0].dropFirst()).planar
    let isSequence = operation.recurrence.returns == .sequence
    let result = (isSequence ? Array(output.dropFirst()) : output).planar
    let sums = [result[0], result[1], RecurrentCellKind.lstm.gateCount * result[2]]
    let sumCount = try MemoryBound.values(
      sums, samples: 1, byteCount: MemoryLayout<Float>.size)
    guard let ofInput = try input.step(inputs: [image], output: sums) as? MatrixStep,
      let ofState = try state.step(inputs: [result], output: sums) as? MatrixStep
    else { preconditionFailure("a convolution is a matrix product") }
    func function(_ function: ActivationFunction) -> GateFunction {
      // The gates only have a channel axis.
      GateFunction(function.along { _ in -1 }, units: result[2], level)
    }
    return ConvolutionalStep(
      recurrence: operation.recurrence, input: ofInput, state: ofState,
      gates: LSTMGates(
        units: result[2], activation: function(operation.activation),
        recurrentActivation: function(operation.recurrentActivation)),
      length: inputs[0][0], imageCount: image.reduce(1, *), sumCount: sumCount)
  }
}

/// A convolutional LSTM layer for sequences of one length.
private struct ConvolutionalStep: KernelStep {
  /// The maximum number of values for the input sums of several steps.
  private static let sumLimit = 1 << 17

  let recurrence: Recurrence
  let input: MatrixStep
  let state: MatrixStep
  let gates: LSTMGates
  let length: Int
  /// The number of values per input step.
  let imageCount: Int
  /// The number of sums per step, for all gates.
  let sumCount: Int

  /// The number of values of a state.
  private var stateCount: Int { sumCount / RecurrentCellKind.lstm.gateCount }
  /// The number of steps whose inputs are convolved together.
  private var stepsAtOnce: Int { max(1, min(length, Self.sumLimit / sumCount)) }
  /// The scratch memory of the convolutions comes first.
  private var innerScratchCount: Int { max(input.scratchCount, state.scratchCount) }

  var scratchCount: Int { innerScratchCount + stepsAtOnce * sumCount + 2 * stateCount }

  func run(_ operands: Operands) {
    guard operands.images >= operands.team.threads, operands.team.threads > 1 else {
      for sequence in 0..<operands.images {
        run(sequence, operands, operands.scratches, operands.team)
      }
      return
    }
    operands.team.perform(operands.images) { sequence, thread in
      run(sequence, operands, operands.scratches + thread, .alone)
    }
  }

  /// Runs a sequence through all steps.
  private func run(
    _ sequence: Int, _ operands: Operands,
    _ scratches: UnsafePointer<UnsafeMutablePointer<Float>>, _ team: ThreadTeam
  ) {
    let sums = scratches[0] + innerScratchCount
    let h = sums + stepsAtOnce * sumCount
    let c = h + stateCount
    h.update(repeating: 0, count: 2 * stateCount)
    if recurrence.takesState {
      h.update(from: operands.inputs[1] + sequence * stateCount, count: stateCount)
      c.update(from: operands.inputs[2] + sequence * stateCount, count: stateCount)
    }
    let x = operands.inputs[0] + sequence * length * imageCount
    for start in stride(from: 0, to: length, by: stepsAtOnce) {
      let steps = start..<min(length, start + stepsAtOnce)
      // When going backwards, the same number of steps from the other end.
      let places =
        recurrence.goesBackwards
        ? length - steps.upperBound..<length - steps.lowerBound : steps
      convolve(input, places.count, [x + places.lowerBound * imageCount], sums, scratches, team)
      for step in steps {
        let place = recurrence.goesBackwards ? length - 1 - step : step
        let own = sums + (place - places.lowerBound) * sumCount
        convolve(state, 1, [UnsafePointer(h), UnsafePointer(own)], own, scratches, team)
        gates.next(own, c, h, c, count: stateCount / gates.units)
        guard recurrence.returns == .sequence else { continue }
        (operands.output + (sequence * length + step) * stateCount).update(
          from: h, count: stateCount)
      }
    }
    let place = sequence * stateCount
    if recurrence.returns != .sequence {
      (operands.output + place).update(
        from: recurrence.returns == .cell ? c : h, count: stateCount)
    }
    guard recurrence.givesStates else { return }
    for (index, state) in [h, c].enumerated() {
      (operands.output(1 + index) + place).update(from: state, count: stateCount)
    }
  }

  /// - Parameter inputs: the images, followed by the addend, which may be the output.
  private func convolve(
    _ step: MatrixStep, _ images: Int, _ inputs: [UnsafePointer<Float>],
    _ output: UnsafeMutablePointer<Float>,
    _ scratches: UnsafePointer<UnsafeMutablePointer<Float>>, _ team: ThreadTeam
  ) {
    inputs.withUnsafeBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return }
      step.run(
        Operands(
          images: images, inputCount: inputs.count, inputs: first, output: output,
          scratches: scratches, team: team))
    }
  }
}
