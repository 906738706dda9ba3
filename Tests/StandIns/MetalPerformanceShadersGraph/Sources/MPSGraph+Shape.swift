extension MPSGraph {
  /// The same numbers in another shape; one size may be -1, and follows from the others.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/reshape(_:shape:name:)
  public func reshape(
    _ tensor: MPSGraphTensor, shape: [NSNumber], name: String?
  ) -> MPSGraphTensor {
    let wanted = shape.map(\.intValue)
    precondition(wanted.count { $0 == -1 } <= 1, "a shape of \(wanted)")
    return add(
      name, [tensor],
      Rule(shape: { shapes in
        guard !shapes[0].contains(-1) else { return wanted }
        let (count, known) = (shapes[0].reduce(1, *), wanted.reduce(1) { $1 == -1 ? $0 : $0 * $1 })
        let result = wanted.map { $0 == -1 ? count / known : $0 }
        precondition(result.reduce(1, *) == count, "\(shapes[0]) cannot be reshaped to \(wanted)")
        return result
      }) { inputs, result in
        result.numbers.baseAddress?.update(from: inputs[0].first, count: result.count)
      })
  }

  /// The sizes of a tensor, as one of integers.
  ///
  /// MPSGraphTensorShapeOps.h; https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/shapeof(_:name:)
  public func shapeOf(_ tensor: MPSGraphTensor, name: String?) -> MPSGraphTensor {
    add(
      name, [tensor], .int32,
      Rule(givesSizes: true, shape: { [$0[0].count] }) { inputs, result in
        for (index, size) in inputs[0].shape.enumerated() { result.numbers[index] = Float(size) }
      })
  }

  /// Swaps two dimensions.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/transposetensor(_:dimension:withdimension:name:)
  public func transposeTensor(
    _ tensor: MPSGraphTensor, dimension dimensionIndex: Int, withDimension dimensionIndex2: Int,
    name: String?
  ) -> MPSGraphTensor {
    var order = Array(tensor.sizes.indices)
    order.swapAt(tensor.dimension(dimensionIndex), tensor.dimension(dimensionIndex2))
    return transpose(tensor, permutation: order.map { NSNumber(value: $0) }, name: name)
  }

  /// Dimension `d` of the result is dimension `permutation[d]` of the tensor.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/transpose(_:permutation:name:)
  public func transpose(
    _ tensor: MPSGraphTensor, permutation: [NSNumber], name: String?
  ) -> MPSGraphTensor {
    let order = permutation.map(\.intValue)
    precondition(order.sorted() == Array(tensor.sizes.indices), "a permutation \(order)")
    return add(
      name, [tensor],
      Rule(shape: { shapes in order.map { shapes[0][$0] } }) { inputs, result in
        inputs[0].transposeInto(result, order: order)
      })
  }

  /// Tensors behind one another in a dimension.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/concattensors(_:dimension:name:)
  public func concatTensors(
    _ tensors: [MPSGraphTensor], dimension dimensionIndex: Int, name: String?
  ) -> MPSGraphTensor {
    let axis = tensors[0].dimension(dimensionIndex)
    return add(
      name, tensors,
      Rule(shape: { shapes in
        shapes[0].indices.map { dimension in
          let sizes = shapes.map { $0[dimension] }
          if dimension == axis { return sizes.contains(-1) ? -1 : sizes.reduce(0, +) }
          precondition(
            sizes.allSatisfy { $0 == sizes[0] || $0 == -1 || sizes[0] == -1 },
            "\(shapes) cannot be concatenated")
          return sizes.max() ?? 0
        }
      }) { inputs, result in
        let blocks = result.shape[..<axis].reduce(1, *)
        var place = result.first
        for block in 0..<blocks {
          for input in inputs {
            let length = input.count / blocks
            place.update(from: input.first + block * length, count: length)
            place += length
          }
        }
      })
  }

  /// A part of a dimension; a negative start counts from the end.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/slicetensor(_:dimension:start:length:name:)
  public func sliceTensor(
    _ tensor: MPSGraphTensor, dimension dimensionIndex: Int, start: Int, length: Int, name: String?
  ) -> MPSGraphTensor {
    let axis = tensor.dimension(dimensionIndex)
    return add(
      name, [tensor],
      Rule(shape: { shapes in
        shapes[0].indices.map { $0 == axis ? length : shapes[0][$0] }
      }) { inputs, result in
        let source = inputs[0]
        let first = start < 0 ? start + source.shape[axis] : start
        precondition(
          first >= 0 && first + length <= source.shape[axis], "a slice outside of \(source.shape)")
        let inner = source.shape[(axis + 1)...].reduce(1, *)
        for block in 0..<source.shape[..<axis].reduce(1, *) {
          (result.first + block * length * inner).update(
            from: source.first + (block * source.shape[axis] + first) * inner,
            count: length * inner)
        }
      })
  }

  /// Numbers around a tensor, for each dimension before and after.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/padtensor(_:with:leftpadding:rightpadding:constantvalue:name:)
  public func padTensor(
    _ tensor: MPSGraphTensor, with paddingMode: MPSGraphPaddingMode, leftPadding: [NSNumber],
    rightPadding: [NSNumber], constantValue: Double, name: String?
  ) -> MPSGraphTensor {
    let (before, after) = (leftPadding.map(\.intValue), rightPadding.map(\.intValue))
    precondition(
      before.count == tensor.sizes.count && after.count == tensor.sizes.count,
      "padding for each of \(tensor.sizes)")
    return add(
      name, [tensor],
      Rule(shape: { shapes in
        shapes[0].indices.map {
          shapes[0][$0] == -1 ? -1 : before[$0] + shapes[0][$0] + after[$0]
        }
      }) { inputs, result in
        for index in result.numbers.indices {
          let place = inputs[0].place(ofPadded: index, result.shape, before, paddingMode)
          result.numbers[index] = place.map { inputs[0].numbers[$0] } ?? Float(constantValue)
        }
      })
  }

  /// Numbers of another type; to integers they are cut.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/cast(_:to:name:)
  public func cast(
    _ tensor: MPSGraphTensor, to type: MPSDataType, name: String?
  ) -> MPSGraphTensor { add(name, [tensor], type, .map { $0 }) }
}

extension Value {
  /// The index of the number that an element of the padded tensor shows; none is the constant.
  fileprivate func place(
    ofPadded index: Int, _ padded: [Int], _ before: [Int], _ mode: MPSGraphPaddingMode
  ) -> Int? {
    var (rest, place, stride) = (index, 0, 1)
    for d in padded.indices.reversed() {
      var position = rest % padded[d] - before[d]
      rest /= padded[d]
      if !(0..<shape[d]).contains(position) {
        let last = shape[d] - 1
        switch mode {
        case .constant: return nil
        case .reflect: position = position < 0 ? -position : 2 * last - position
        case .symmetric: position = position < 0 ? -position - 1 : 2 * last + 1 - position
        }
        precondition((0...last).contains(position), "padding larger than the tensor")
      }
      place += position * stride
      stride *= shape[d]
    }
    return place
  }
}
