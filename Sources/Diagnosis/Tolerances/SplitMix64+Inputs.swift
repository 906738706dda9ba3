import ModelIR
import Operators

extension SplitMix64 {
  /// Random values for an input of a model, computed by `value` from numbers in [0, 1) unless its
  /// readers need other values.
  ///
  /// An input of token ids gets valid ids. If a mask ignores steps with a certain value, some steps
  /// get it; otherwise the mask would have no effect.
  /// - Parameters:
  ///   - name: The name of the input.
  ///   - shape: The shape, including the batch.
  ///   - value: Returns the value for a random number and an index in the array.
  /// - Throws: `usage` if the array needs too much memory.
  package mutating func array(
    for name: String, of model: Model, shape: [Int],
    value: @escaping @Sendable (Float, Int) -> Float = { number, _ in number }
  ) throws(NetconvError) -> NDArray<Float> {
    let readers = model.readersOfValues(in: name).map(\.operation)
    let count = model.tokenCount(for: name).map { Float($0) }
    var array = try array(shape) { number, index in
      guard let count else { return value(number, index) }
      // The product may be rounded up to the count.
      return min((number * count).rounded(.down), count - 1)
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
  /// The layers that read the values of an input, directly or through layers that only move values.
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

  /// The inputs that a layer compares with a number, so that they must not be rounded.
  var inputsReadExactly: Set<String> {
    Set(
      inputs.map(\.name).filter {
        readersOfValues(in: $0).contains { $0.operation.needsExactInput }
      })
  }

  /// The number of valid token ids of an input; `nil` if no layer uses it as an index.
  package func tokenCount(for input: String) -> Int? {
    (readersOfValues(in: input).compactMap { ($0.operation as? any IndexingOperator)?.count }
      + gathers(by: input).compactMap { layer, operation, isDirect in
        isDirect ? operation.indexCount(for: layer.inputShapes) : nil
      }).min()
  }

  /// The layers that gather at indices which follow from an input by arithmetic.
  ///
  /// - Returns: for each also whether the indices are the values of the input.
  private func gathers(
    by input: String
  ) -> [(layer: Layer, operation: any GatheringOperator, isDirect: Bool)] {
    layers.compactMap { layer in
      guard let operation = layer.operation as? any GatheringOperator else { return nil }
      var waiting = [(value: layer.inputs[operation.indexInput], isDirect: true)]
      var seen: Set<String> = []
      while let (value, isDirect) = waiting.popLast() {
        guard value != input else { return (layer, operation, isDirect) }
        // The index of the largest value, and the output of a kernel, are other quantities than what is fed.
        guard seen.insert(value).inserted, let maker = producer(of: value)?.layer,
          !(maker.operation is any SearchingOperator), !maker.hasKernel
        else { continue }
        let isSame = isDirect && maker.operation.valueEffect != .computed
        waiting += maker.inputs.map { ($0, isSame) }
      }
      return nil
    }
  }

  /// The layer that uses an input as token ids; `nil` if there is none.
  package func layerReadingTokenIDs(of input: String) -> Layer? {
    readersOfValues(in: input).first { $0.operation is any IndexingOperator }
      ?? gathers(by: input).first?.layer
  }
}

extension Layer {
  /// True if the layer has a parameter of several axes.
  fileprivate var hasKernel: Bool {
    parameters.contains { $0.spec.kind != .vector && $0.spec.kind != .unknown }
  }
}
