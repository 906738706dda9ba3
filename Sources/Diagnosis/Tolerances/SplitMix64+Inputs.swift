import ModelIR
import Operators

extension SplitMix64 {
  /// Values for an input of a model: what `value` makes of numbers in [0, 1), or what those that read it can take.
  ///
  /// An input of numbers of things has such numbers. Where steps of one value do not count, some are of it: otherwise
  /// nobody would see what a mask does.
  /// - Parameters:
  ///   - name: of the input.
  ///   - shape: with the batch.
  ///   - value: the value for such a number, and a place in the array.
  /// - Throws: `usage` if it takes more memory than is sane.
  package mutating func array(
    for name: String, of model: Model, shape: [Int],
    value: (Float, Int) -> Float = { number, _ in number }
  ) throws(NetconvError) -> NDArray<Float> {
    let readers = model.readersOfValues(in: name).map(\.operation)
    var array = try array(shape)
    if let count = model.countOfThings(for: name) {
      for index in array.values.indices {
        array.values[index] = (array.values[index] * Float(count)).rounded(.down)
        // A product that is rounded up is one too many.
        if array.values[index] >= Float(count) { array.values[index] = Float(count - 1) }
      }
    } else {
      for index in array.values.indices {
        array.values[index] = value(array.values[index], index)
      }
    }
    for marker in readers.compactMap({ $0 as? any StepMarkingOperator }) {
      let run = marker.isPerValue ? 1 : max(1, shape.last ?? 1)
      for start in stride(from: 0, to: array.count, by: run) where fraction() < 0.2 {
        for index in start..<start + run { array.values[index] = Float(marker.value) }
      }
    }
    return array
  }
}

extension Model {
  /// The layers that read the values of an input, also behind layers that only move values.
  fileprivate func readersOfValues(in input: String) -> [Layer] {
    var same: Set<String> = [input]
    return layers.filter { layer in
      guard layer.inputs.contains(where: same.contains) else { return false }
      if layer.operation.valueEffect != .computed {
        same.formUnion(layer.outputs.map(\.name))
      }
      return true
    }
  }

  /// The inputs in which somebody looks for a number, so that a rounding of them is something else.
  var inputsReadExactly: Set<String> {
    Set(
      inputs.map(\.name).filter {
        readersOfValues(in: $0).contains { $0.operation.needsExactInput }
      })
  }

  /// The number of things that an input can name by number; `nil` if no layer takes its values for such numbers.
  package func countOfThings(for input: String) -> Int? {
    readersOfValues(in: input).compactMap { ($0.operation as? any IndexingOperator)?.count }.min()
  }

  /// The layer to which the values of an input are numbers of things; `nil` if there is none.
  package func layerTakingNumbers(of input: String) -> Layer? {
    readersOfValues(in: input).first { $0.operation is any IndexingOperator }
  }
}
