internal import CKernels
import ModelIR
import Operators

/// The gates of long short-term memory, applied to any number of states.
struct LSTMGates: Sendable {
  let units: Int
  let activation: GateFunction
  let recurrentActivation: GateFunction

  /// Computes the next outputs and cells, each (count, units).
  ///
  /// - Parameters:
  ///   - sums: the sums of the gates, (count, gates, units), which are overwritten.
  ///   - c: the cells.
  ///   - newH: the memory for the new outputs.
  ///   - newC: the memory for the new cells; may be `c`.
  func next(
    _ sums: UnsafeMutablePointer<Float>, _ c: UnsafePointer<Float>,
    _ newH: UnsafeMutablePointer<Float>, _ newC: UnsafeMutablePointer<Float>, count: Int
  ) {
    for state in 0..<count {
      let z = sums + state * 4 * units
      recurrentActivation.run(count: 2, units: units, z, z)
      activation.run(count: 1, units: units, z + 2 * units, z + 2 * units)
      recurrentActivation.run(count: 1, units: units, z + 3 * units, z + 3 * units)
      let (from, to) = (c + state * units, newC + state * units)
      for unit in 0..<units {
        to[unit] = z[units + unit] * from[unit] + z[unit] * z[2 * units + unit]
      }
    }
    activation.run(count: count, units: units, newC, newH)
    for state in 0..<count {
      let (gate, to) = (sums + (state * 4 + 3) * units, newH + state * units)
      for unit in 0..<units { to[unit] *= gate[unit] }
    }
  }
}

/// An activation function of gates.
struct GateFunction: Sendable {
  private let kernel: netconv_activation?
  /// Used for functions along axes, and those without a kernel.
  private let pass: ActivationPass
  private let level: CPULevel

  init(_ function: ActivationFunction, units: Int, _ level: CPULevel) {
    kernel = function.axis == nil ? function.kernel : nil
    pass = ActivationPass(function: function, shape: [units], level: level)
    self.level = level
  }

  func run(
    count: Int, units: Int, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>
  ) {
    if let kernel {
      level.activate(kernel, x, y, count: count * units)
    } else {
      pass.run(count, x, y, .alone)
    }
  }
}
