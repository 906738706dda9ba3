import ModelIR
import Operators

/// One step of several sequences: computes the next states from the sums of the inputs and the current states.
struct RecurrentCell: Sendable {
  /// The addresses of the next states, sequence by sequence.
  struct State {
    let h: UnsafePointer<Float>
    let c: UnsafePointer<Float>?
  }

  private enum Kind: Sendable {
    case simple(GateFunction)
    case lstm(LSTMGates)
    case gru(GateFunction, recurrent: GateFunction, resetsAfter: Bool)
  }

  let units: Int
  private let kind: Kind
  /// The recurrent weights: one matrix, or two if the reset is applied before the last gate's product.
  private let matrices: [PackedMatrix]
  private let offsets: AlignedBuffer<Int>
  private let level: CPULevel

  /// Returns the recurrent products for steps of `count` sequences.
  func products(count: Int) -> [MatrixProduct] {
    matrices.map {
      MatrixProduct(
        level: level, groups: [$0], groupStride: 0,
        pixels: .init(perRow: count, perImage: count, stride: units, imageStride: count * units),
        offsets: offsets, bounds: -.infinity ... .infinity)
    }
  }

  init(
    _ operation: some RecurrentOperator, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    units = operation.units
    self.level = level
    offsets = AlignedBuffer(Array(0..<operation.units), filler: 0)
    func function(_ function: ActivationFunction) -> GateFunction {
      GateFunction(function, units: operation.units, level)
    }
    var columns = [0..<operation.cell.gateCount * operation.units]
    switch operation {
    case let lstm as LSTM:
      kind = .lstm(
        LSTMGates(
          units: lstm.units, activation: function(lstm.activation),
          recurrentActivation: function(lstm.recurrentActivation)))
    case let gru as GRU:
      kind = .gru(
        function(gru.activation), recurrent: function(gru.recurrentActivation),
        resetsAfter: gru.resetsAfter)
      if !gru.resetsAfter { columns = [0..<2 * gru.units, 2 * gru.units..<3 * gru.units] }
    case let simple as SimpleRNN: kind = .simple(function(simple.activation))
    default: preconditionFailure("\(type(of: operation)) has no fast step")
    }
    let kernel = parameters[.recurrent]?.values ?? []
    matrices = columns.map {
      PackedMatrix(
        kernel, depth: operation.units, columns: $0,
        bias: parameters[.recurrentBias]?.values, panelWidth: level.tileColumns)
    }
  }

  /// The number of scratch values per sequence.
  var scratchCount: Int { matrices.reduce(2 * units) { $0 + $1.columns } + units }

  /// Computes the states after a step.
  ///
  /// - Parameters:
  ///   - sums: the sums of the inputs, (count, gates, units), which may be overwritten.
  ///   - h: the states, (count, units).
  ///   - c: the cells, if the layer has them.
  ///   - work: memory for the result, ``scratchCount`` values per sequence.
  ///   - matrices: the result of ``products(count:)``.
  ///   - team: the threads that share a product.
  func next(
    _ sums: UnsafeMutablePointer<Float>, _ h: UnsafeMutablePointer<Float>,
    _ c: UnsafeMutablePointer<Float>, count: Int, _ work: UnsafeMutablePointer<Float>,
    _ matrices: [MatrixProduct], _ team: ThreadTeam
  ) -> State {
    let (newH, newC) = (work, work + count * units)
    let products = newC + count * units
    switch kind {
    case .simple(let function):
      matrices[0].run(images: 1, h, adding: sums, newH, team)
      apply(function, newH, newH, count)
      return State(h: newH, c: nil)
    case .lstm(let gates):
      matrices[0].run(images: 1, h, adding: sums, products, team)
      gates.next(products, c, newH, newC, count: count)
      return State(h: newH, c: newC)
    case .gru(let function, let recurrent, true):
      matrices[0].run(images: 1, h, adding: nil, products, team)
      for sequence in 0..<count {
        let (x, p) = (sums + sequence * 3 * units, products + sequence * 3 * units)
        for index in 0..<2 * units { x[index] += p[index] }
        apply(recurrent, x, x, 2)
        for unit in 0..<units { x[2 * units + unit] += x[units + unit] * p[2 * units + unit] }
        update(x, h + sequence * units, newH + sequence * units, function)
      }
      return State(h: newH, c: nil)
    case .gru(let function, let recurrent, false):
      matrices[0].run(images: 1, h, adding: nil, products, team)
      for sequence in 0..<count {
        let (x, p) = (sums + sequence * 3 * units, products + sequence * 2 * units)
        for index in 0..<2 * units { x[index] += p[index] }
        apply(recurrent, x, x, 2)
        let (from, reset) = (h + sequence * units, newC + sequence * units)
        for unit in 0..<units { reset[unit] = x[units + unit] * from[unit] }
      }
      let inner = products + count * 2 * units
      matrices[1].run(images: 1, newC, adding: nil, inner, team)
      for sequence in 0..<count {
        let x = sums + sequence * 3 * units
        for unit in 0..<units { x[2 * units + unit] += inner[sequence * units + unit] }
        update(x, h + sequence * units, newH + sequence * units, function)
      }
      return State(h: newH, c: nil)
    }
  }

  /// h' = z·h + (1 - z)·a(n), with the gates z, r and n in `x`.
  private func update(
    _ x: UnsafeMutablePointer<Float>, _ h: UnsafePointer<Float>, _ new: UnsafeMutablePointer<Float>,
    _ function: GateFunction
  ) {
    apply(function, x + 2 * units, x + 2 * units, 1)
    for unit in 0..<units {
      new[unit] = x[unit] * h[unit] + (1 - x[unit]) * x[2 * units + unit]
    }
  }

  /// Applies a function to `count` rows separately.
  private func apply(
    _ function: GateFunction, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    function.run(count: count, units: units, x, y)
  }
}
