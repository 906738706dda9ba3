import ModelIR
import Operators

/// The padding around an image, or before and after a sequence.
struct Border: Equatable, Sendable, CustomStringConvertible {
  /// The padding at both ends of an axis.
  struct Sides: Equatable, Sendable {
    let before: Int
    let after: Int
  }

  /// The padding of each axis.
  let sides: [Sides]

  init(_ sides: [Sides]) {
    self.sides = sides
  }

  /// Creates a border from pairs, as in documents.
  init(_ padding: [[Int]]) {
    sides = padding.map { Sides(before: $0[0], after: $0[1]) }
  }

  /// True if all sides are 0.
  var isEmpty: Bool { sides.allSatisfy { $0.before == 0 && $0.after == 0 } }

  /// A description such as `top 0, bottom 1, left 0, right 1` or `before 2, after 0`.
  var description: String {
    let names = Spaces.axes(sides.count)?.sideNames ?? []
    return zip(names, sides).map { "\($0[0]) \($1.before), \($0[1]) \($1.after)" }
      .joined(separator: ", ")
  }
}

/// The padding of a layer with windows over its input.
struct WindowEdges: Sendable {
  let padding: Padding
  let surroundings: Surroundings
  /// The border for each padding that the operator supports.
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
  /// The padding of a layer with windows; `nil` for any other layer.
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

  /// Sets the padding of the window.
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
