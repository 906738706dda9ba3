import ModelIR
import Operators

/// One step of several sequences: from what their inputs come to and their states to the next states.
struct RecurrentCell: Sendable {
  /// Where the next states lie, sequence by sequence.
  struct State {
    let h: UnsafePointer<Float>
    let c: UnsafePointer<Float>?
  }

  private enum Kind: Sendable {
    case simple(ActivationFunction)
    case lstm(ActivationFunction, recurrent: ActivationFunction)
    case gru(ActivationFunction, recurrent: ActivationFunction, resetsAfter: Bool)
  }

  let units: Int
  private let kind: Kind
  /// The products of the state: one matrix, or, where the reset goes before the last gate's, two.
  private let matrices: [PackedMatrix]
  private let offsets: AlignedBuffer<Int>
  private let level: CPULevel

  init(
    _ operation: some RecurrentOperator, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    units = operation.units
    self.level = level
    offsets = AlignedBuffer(Array(0..<operation.units), filler: 0)
    var columns = [0..<type(of: operation).gates.count * operation.units]
    switch operation {
    case let lstm as LSTM: kind = .lstm(lstm.activation, recurrent: lstm.recurrentActivation)
    case let gru as GRU:
      kind = .gru(
        gru.activation, recurrent: gru.recurrentActivation, resetsAfter: gru.resetsAfter)
      if !gru.resetsAfter { columns = [0..<2 * gru.units, 2 * gru.units..<3 * gru.units] }
    case let simple as SimpleRNN: kind = .simple(simple.activation)
    default: preconditionFailure("\(type(of: operation)) has no fast step")
    }
    let kernel = parameters[.recurrent]?.values ?? []
    matrices = columns.map {
      PackedMatrix(
        kernel, depth: operation.units, columns: $0,
        bias: parameters[.recurrentBias]?.values, panelWidth: level.tileColumns)
    }
  }

  /// Values of memory for each sequence.
  var scratchCount: Int { matrices.reduce(2 * units) { $0 + $1.columns } + units }

  /// The states after a step.
  ///
  /// - Parameters:
  ///   - sums: of the inputs, (count, gates, units); they may be overwritten.
  ///   - h: the states, (count, units).
  ///   - c: the cells, where the layer has them.
  ///   - work: memory for the result, ``scratchCount`` values for each sequence.
  func next(
    _ sums: UnsafeMutablePointer<Float>, _ h: UnsafeMutablePointer<Float>,
    _ c: UnsafeMutablePointer<Float>, count: Int, _ work: UnsafeMutablePointer<Float>
  ) -> State {
    let (newH, newC) = (work, work + count * units)
    let products = newC + count * units
    switch kind {
    case .simple(let function):
      multiply(0, h, adding: sums, newH, count)
      apply(function, newH, newH, count, rows: units)
      return State(h: newH, c: nil)
    case .lstm(let function, let recurrent):
      multiply(0, h, adding: sums, products, count)
      for sequence in 0..<count {
        let z = products + sequence * 4 * units
        apply(recurrent, z, z, 2, rows: units)
        apply(function, z + 2 * units, z + 2 * units, 1, rows: units)
        apply(recurrent, z + 3 * units, z + 3 * units, 1, rows: units)
        let (from, to) = (c + sequence * units, newC + sequence * units)
        for unit in 0..<units {
          to[unit] = z[units + unit] * from[unit] + z[unit] * z[2 * units + unit]
        }
      }
      apply(function, newC, newH, count, rows: units)
      for sequence in 0..<count {
        let (gate, to) = (products + (sequence * 4 + 3) * units, newH + sequence * units)
        for unit in 0..<units { to[unit] *= gate[unit] }
      }
      return State(h: newH, c: newC)
    case .gru(let function, let recurrent, true):
      multiply(0, h, adding: nil, products, count)
      for sequence in 0..<count {
        let (x, p) = (sums + sequence * 3 * units, products + sequence * 3 * units)
        for index in 0..<2 * units { x[index] += p[index] }
        apply(recurrent, x, x, 2, rows: units)
        for unit in 0..<units { x[2 * units + unit] += x[units + unit] * p[2 * units + unit] }
        update(x, h + sequence * units, newH + sequence * units, function)
      }
      return State(h: newH, c: nil)
    case .gru(let function, let recurrent, false):
      multiply(0, h, adding: nil, products, count)
      for sequence in 0..<count {
        let (x, p) = (sums + sequence * 3 * units, products + sequence * 2 * units)
        for index in 0..<2 * units { x[index] += p[index] }
        apply(recurrent, x, x, 2, rows: units)
        let (from, reset) = (h + sequence * units, newC + sequence * units)
        for unit in 0..<units { reset[unit] = x[units + unit] * from[unit] }
      }
      let inner = products + count * 2 * units
      multiply(1, newC, adding: nil, inner, count)
      for sequence in 0..<count {
        let x = sums + sequence * 3 * units
        for unit in 0..<units { x[2 * units + unit] += inner[sequence * units + unit] }
        update(x, h + sequence * units, newH + sequence * units, function)
      }
      return State(h: newH, c: nil)
    }
  }

  /// h' = z·h + (1 - z)·a(n), of the gates z, r and n in `x`.
  private func update(
    _ x: UnsafeMutablePointer<Float>, _ h: UnsafePointer<Float>, _ new: UnsafeMutablePointer<Float>,
    _ function: ActivationFunction
  ) {
    apply(function, x + 2 * units, x + 2 * units, 1, rows: units)
    for unit in 0..<units {
      new[unit] = x[unit] * h[unit] + (1 - x[unit]) * x[2 * units + unit]
    }
  }

  private func multiply(
    _ index: Int, _ h: UnsafePointer<Float>, adding addend: UnsafePointer<Float>?,
    _ products: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let product = MatrixProduct(
      level: level, groups: [matrices[index]], groupStride: 0,
      pixels: .init(perRow: count, perImage: count, stride: units, imageStride: count * units),
      offsets: offsets, bounds: -.infinity ... .infinity)
    product.run(rows: 0..<count, h, adding: addend, products)
  }

  /// A function of `count` rows, each by itself.
  private func apply(
    _ function: ActivationFunction, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>,
    _ count: Int, rows units: Int
  ) {
    ActivationPass(function: function, shape: [units], level: level).run(count, x, y, .alone)
  }
}
