import ModelIR

/// A tensor of a graph whose values do not depend on the inputs, except as multiples of the batch size.
struct GraphConstant: Sendable {
  /// The largest count of values to compute with; larger constants stay in their file.
  static let numberLimit = 1 << 22

  let type: GraphElement
  /// The shape in the graph.
  let shape: [Int]
  /// The node that holds the values; `nil` if they were computed.
  let name: String?
  /// The stored values, in the order of the source's axes.
  let source: any TensorSource
  /// For each axis, its index in the source; `nil` if the order is the same.
  let axes: [Int]?
  /// For each value, the multiple of the batch size that is added to its number; `nil` if all are 0.
  let batches: [Double]?
  /// The location of the values, for messages.
  let path: String

  /// Creates a constant from values in a file.
  init(
    type: GraphElement, shape: [Int], name: String, source: any TensorSource, path: String? = nil
  ) {
    self.init(
      type: type, shape: shape, name: name, source: source, axes: nil, batches: nil,
      path: path ?? name)
  }

  /// Creates a constant from computed numbers.
  ///
  /// - Precondition: there are as many numbers as the shape has elements.
  init(
    _ numbers: [Double], shape: [Int], type: GraphElement, batches: [Double]? = nil,
    path: String
  ) {
    self.init(
      type: type, shape: shape, name: nil,
      source: NumberSource(numbers: numbers, elementType: type.storedType), axes: nil,
      batches: batches?.contains { $0 != 0 } ?? false ? batches : nil, path: path)
  }

  private init(
    type: GraphElement, shape: [Int], name: String?, source: any TensorSource, axes: [Int]?,
    batches: [Double]?, path: String
  ) {
    self.type = type
    self.shape = shape
    self.name = name
    self.source = source
    self.axes = axes
    self.batches = batches
    self.path = path
  }

  /// The number of values.
  var count: Int { source.count }

  /// True if some values depend on the batch size.
  var countsBatches: Bool { batches != nil }

  /// All values in the order of the graph's axes, without their multiples of the batch size.
  ///
  /// - Throws: `badData` if there are too many to compute with.
  func numbers() throws(NetconvError) -> [Double] {
    guard count <= Self.numberLimit else {
      throw .tooManyNumbers(count, limit: Self.numberLimit)
    }
    let stored = try source.doubles()
    guard let axes else { return stored }
    return arranged(stored, of: storedShape(axes), by: axes)
  }

  /// The value of a constant with a single element.
  ///
  /// - Returns: `nil` if there are several values, or the value depends on the batch size.
  func scalar() throws(NetconvError) -> Double? {
    guard count == 1, !countsBatches else { return nil }
    return try numbers().first
  }

  /// The values as integers; none may depend on the batch size.
  ///
  /// - Throws: `badData` if a value is not an integer.
  func integers() throws(NetconvError) -> [Int] {
    guard !countsBatches else { throw .countsBatches(path) }
    var integers: [Int] = []
    for number in try numbers() {
      // The largest 64-bit integer means the end of an axis, and no Double equals it.
      guard let integer = number == 0x1p63 ? Int.max : Int(exactly: number) else {
        throw .noInteger(number, path)
      }
      integers.append(integer)
    }
    return integers
  }

  /// The same values under another name; their location stays the same.
  func named(_ name: String) -> GraphConstant {
    GraphConstant(
      type: type, shape: shape, name: name, source: source, axes: axes, batches: batches,
      path: path)
  }

  /// The constant with permuted axes; no values are moved.
  ///
  /// - Precondition: `order` has every axis once.
  func transposed(_ order: [Int]) -> GraphConstant {
    if order == Array(shape.indices) { return self }
    return GraphConstant(
      type: type, shape: order.map { shape[$0] }, name: name, source: source,
      axes: order.map { axes?[$0] ?? $0 },
      batches: batches.map { arranged($0, of: shape, by: order) }, path: path)
  }

  /// The constant in another shape.
  ///
  /// - Precondition: the shape has as many elements.
  /// - Throws: `badData` if there are too many values to rearrange.
  func reshaped(_ shape: [Int]) throws(NetconvError) -> GraphConstant {
    if axes == nil {
      return GraphConstant(
        type: type, shape: shape, name: name, source: source, axes: nil, batches: batches,
        path: path)
    }
    return GraphConstant(
      type: type, shape: shape, name: name,
      source: NumberSource(
        numbers: try numbers(), elementType: type.storedType),
      axes: nil, batches: batches, path: path)
  }

  /// The values converted to another type.
  ///
  /// - Throws: `badData` if a value does not fit into an integer type.
  func cast(to type: GraphElement) throws(NetconvError) -> GraphConstant {
    guard type.isInteger, !type.holds(self.type) else {
      return GraphConstant(
        type: type, shape: shape, name: name, source: source, axes: axes, batches: batches,
        path: path)
    }
    var numbers = try numbers()
    if type == .truth {
      numbers = numbers.map { $0 == 0 ? 0 : 1 }
    } else {
      numbers = numbers.map { $0.rounded(.towardZero) }
      if let range = type.integers, let stranger = numbers.first(where: { !range.contains($0) }) {
        throw .doesNotFit(stranger, type.name)
      }
    }
    // Changed values need another name, by which the vectors of an expression are distinguished.
    return GraphConstant(
      numbers, shape: shape, type: type, batches: batches, path: "\(path) as \(type.name)")
  }

  /// The constant, if its values fit its integer type; values that do not would wrap around.
  ///
  /// - Throws: `badData` if a value does not fit.
  func checkedToFit() throws(NetconvError) -> GraphConstant {
    guard type != .truth, let range = type.integers,
      let stranger = try numbers().first(where: { !range.contains($0) })
    else { return self }
    throw .doesNotFit(stranger, type.name)
  }

  /// The values as a parameter whose axes, in the order of the graph, are those of `layout`.
  ///
  /// - Parameter layout: without the axes that the shape does not have.
  func stored(as layout: Layout?) throws(NetconvError) -> StoredTensor {
    guard !countsBatches else { throw .countsBatches(path) }
    guard let axes, let layout, layout.dimensions.count == axes.count else {
      let source: any TensorSource =
        axes == nil
        ? self.source
        : NumberSource(numbers: try numbers(), elementType: type.storedType)
      return StoredTensor(source: source, layout: layout, shape: shape, path: path)
    }
    var dimensions = layout.dimensions
    for (index, axis) in axes.enumerated() { dimensions[axis] = layout.dimensions[index] }
    return StoredTensor(
      source: source, layout: try Layout(dimensions), shape: storedShape(axes),
      path: path)
  }

  /// True if there is exactly one value per channel, the last axis of samples of `shape`.
  func isPerChannel(of shape: Shape) -> Bool {
    guard let channels = shape.dimensions.last ?? nil else { return false }
    return count == channels && self.shape.last == channels
      && self.shape.count <= shape.rank + 1
  }

  /// Removes axes along which all values are the same; those after the last varying axis keep size 1.
  ///
  /// - Throws: `badData` if there are too many values to compare.
  func withoutRepetition() throws(NetconvError) -> GraphConstant {
    guard !countsBatches, shape.contains(where: { $0 > 1 }) else { return self }
    var values = try numbers()
    var sizes = shape
    for axis in sizes.indices where sizes[axis] > 1 {
      let inner = sizes[(axis + 1)...].reduce(1, *)
      let run = inner * sizes[axis]
      let isRepeated = values.indices.allSatisfy { index in
        values[index] == values[index - index % run + index % inner]
      }
      guard isRepeated else { continue }
      values = values.indices.filter { $0 % run < inner }.map { values[$0] }
      sizes[axis] = 1
    }
    return sizes == shape ? self : GraphConstant(values, shape: sizes, type: type, path: path)
  }

  /// True if the matrix is stored transposed.
  var isTurned: Bool { axes == [1, 0] }

  /// The values of a transposed matrix in stored order, without a layout.
  var storedTurned: StoredTensor {
    StoredTensor(source: source, layout: nil, shape: nil, path: path)
  }

  private func storedShape(_ axes: [Int]) -> [Int] {
    var stored = shape
    for (index, axis) in axes.enumerated() { stored[axis] = shape[index] }
    return stored
  }

  /// The values of an array of `shape`, with permuted axes.
  private func arranged(_ values: [Double], of shape: [Int], by order: [Int]) -> [Double] {
    var strides = [Int](repeating: 1, count: shape.count)
    for axis in shape.indices.dropLast().reversed() {
      strides[axis] = strides[axis + 1] * shape[axis + 1]
    }
    var arranged: [Double] = []
    arranged.reserveCapacity(values.count)
    var place = [Int](repeating: 0, count: order.count)
    for _ in values.indices {
      arranged.append(values[zip(place, order).reduce(0) { $0 + $1.0 * strides[$1.1] }])
      for index in order.indices.reversed() {
        place[index] += 1
        if place[index] < shape[order[index]] { break }
        place[index] = 0
      }
    }
    return arranged
  }
}

extension NetconvError {
  fileprivate static func doesNotFit(_ number: Double, _ type: String) -> NetconvError {
    NetconvError(.badData, "makes \(type) of \(number), which does not fit, and wraps around")
  }
}
