import ModelIR
import Operators

/// Places around an image, or before and behind a sequence.
struct Border: Equatable, Sendable, CustomStringConvertible {
  /// Places at both ends of one axis.
  struct Sides: Equatable, Sendable {
    let before: Int
    let after: Int
  }

  /// Of each axis.
  let sides: [Sides]

  init(_ sides: [Sides]) {
    self.sides = sides
  }

  /// A border of pairs, as documents have it.
  init(_ padding: [[Int]]) {
    sides = padding.map { Sides(before: $0[0], after: $0[1]) }
  }

  /// Whether there is none.
  var isEmpty: Bool { sides.allSatisfy { $0.before == 0 && $0.after == 0 } }

  /// `top 0, bottom 1, left 0, right 1`, or `before 2, after 0`.
  var description: String {
    let names = sides.count == 1 ? Line.sideNames : Plane.sideNames
    return zip(names, sides).map { "\($0[0]) \($1.before), \($0[1]) \($1.after)" }
      .joined(separator: ", ")
  }
}

/// What a window over the input of a layer sees at its edges.
struct WindowEdges: Sendable {
  let padding: Padding
  let surroundings: Surroundings
  /// What the windows reach over the edges with each padding; of those that the operator can have.
  let borders: [Padding: Border]

  fileprivate init<Windowed: WindowedOperator>(_ operation: Windowed, lengths: [Int]) {
    padding = operation.window.padding
    surroundings = operation.surroundings
    var borders: [Padding: Border] = [:]
    for padding in [Padding.same, .causal] where padding == .same || lengths.count == 1 {
      var window = operation.window
      window.padding = padding
      borders[padding] = Border(zip(window.axes, lengths).map { Self.sides($0, $1) })
    }
    self.borders = borders
  }

  private static func sides(_ axis: WindowAxis, _ length: Int) -> Border.Sides {
    let before = axis.paddingBefore(length)
    let end = (axis.count(in: length) - 1) * axis.stride + axis.extent
    return Border.Sides(before: before, after: max(0, end - before - length))
  }
}

extension LayerCase {
  /// The edges of a layer whose window slides over its input; `nil` of any other layer.
  var windowEdges: WindowEdges? {
    guard let operation = operation as? any WindowedOperator, let shape = inputs.first?.shape else {
      return nil
    }
    func edges<Windowed: WindowedOperator>(_ operation: Windowed) -> WindowEdges? {
      let lengths = Array(shape.dropFirst().dropLast())
      return lengths.count == operation.window.axes.count
        ? WindowEdges(operation, lengths: lengths) : nil
    }
    return edges(operation)
  }

  /// Lets the window stay inside, or reach over the edges.
  mutating func pad(_ padding: Padding) {
    func padded(_ operation: some WindowedOperator) -> any Operator {
      var changed = operation
      changed.window.padding = padding
      return changed
    }
    if let windowed = operation as? any WindowedOperator { operation = padded(windowed) }
  }
}

extension NDArray<Float> {
  /// A batch of images or sequences with a border of `value`.
  func padded(_ border: Border, with value: Float) throws(NetconvError) -> NDArray {
    var padded = self
    for (axis, sides) in border.sides.enumerated() {
      padded = try padded.padded(axis: axis + 1, sides, with: value)
    }
    return padded
  }

  private func padded(
    axis: Int, _ sides: Border.Sides, with value: Float
  ) throws(NetconvError) -> NDArray {
    var larger = shape
    larger[axis] += sides.before + sides.after
    var padded = try NDArray(shape: larger, filledWith: value)
    let inner = shape[(axis + 1)...].reduce(1, *)
    let (run, newRun) = (shape[axis] * inner, larger[axis] * inner)
    for index in 0..<shape[..<axis].reduce(1, *) {
      let to = index * newRun + sides.before * inner
      padded.values.replaceSubrange(
        to..<to + run, with: values[index * run..<(index + 1) * run])
    }
    return padded
  }
}
