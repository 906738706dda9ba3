import Documents
import ModelIR
import Relations

/// Tensors made of several, and several made of one.
extension RuledTensors {
  /// The maximum number of tensors into which an axis is taken apart.
  private static var mostPieces: Int { 1 << 16 }

  /// Returns the tensors joined along an axis.
  mutating func joined(
    _ pieces: [Entry], along axis: Int, _ parts: [WeightRules.Size]?
  ) throws(NetconvError) -> Entry {
    var shape = pieces[0].shape
    guard shape.indices.contains(axis) else { throw .noAxis(axis, shape) }
    var start = 0
    for (index, piece) in pieces.enumerated() {
      var own = piece.shape
      guard own.count == shape.count else { throw .unlikeShapes(pieces.map(\.shape)) }
      let length = own[axis]
      if let stated = try parts.map({ parts throws(NetconvError) in try sizes.value(parts[index]) }
      ),
        stated != length
      {
        throw .otherLength(length, stated: stated)
      }
      own[axis] = shape[axis]
      guard own == shape else { throw .unlikeShapes(pieces.map(\.shape)) }
      start += length
    }
    shape[axis] = start
    return make(
      shape,
      JoinedTensorSource(
        pieces.map(\.stored.source), shapes: pieces.map(\.shape), axis: axis), pieces)
  }

  /// Returns the parts of a tensor along an axis.
  mutating func split(
    _ entry: Entry, along axis: Int, _ parts: [WeightRules.Size]
  ) throws(NetconvError) -> [Entry] {
    let shape = entry.shape
    guard shape.indices.contains(axis) else { throw .noAxis(axis, shape) }
    let lengths = try parts.map(sizes.value)
    guard lengths.reduce(0, +) == shape[axis] else { throw .otherSum(lengths, of: shape[axis]) }
    var start = 0
    var made: [Entry] = []
    for length in lengths {
      var own = shape
      own[axis] = length
      let range = start..<start + length
      made.append(make(own, entry.stored.source.part(of: shape, axis: axis, range), [entry]))
      start += length
    }
    return made
  }

  /// Returns the tensors stacked along a new first axis.
  mutating func stacked(_ pieces: [Entry]) throws(NetconvError) -> Entry {
    let shape = pieces[0].shape
    guard pieces.allSatisfy({ $0.shape == shape }), shape.count < Axis.places.count else {
      throw .unlikeShapes(pieces.map(\.shape))
    }
    return make(
      [pieces.count] + shape,
      JoinedTensorSource(
        pieces.map(\.stored.source), shapes: pieces.map { [1] + $0.shape }, axis: 0), pieces)
  }

  /// Returns the tensors along the first axis.
  mutating func unstacked(_ entry: Entry) throws(NetconvError) -> [Entry] {
    guard let count = entry.shape.first, count > 0, count <= Self.mostPieces else {
      throw .noAxis(0, entry.shape)
    }
    let source = entry.stored.source
    return (0..<count).map { index in
      make(
        Array(entry.shape.dropFirst()), source.part(of: entry.shape, axis: 0, index..<index + 1),
        [entry])
    }
  }

  /// The number of values up to which a tensor is held in memory while its axes are moved.
  private static var mostHeld: Int { 1 << 22 }
  /// The number of consecutive values from which on a move is read piece by piece without a loss of time.
  private static var fewInRun: Int { 1 << 8 }

  /// Returns a tensor with its values in another order.
  ///
  /// Small ones are held in memory, large ones are read piece by piece.
  mutating func moved(_ entry: Entry, by move: Rearrangement) throws(NetconvError) -> Entry {
    let (shape, copy) = (try move.target.shape(move.sizes), move.copy)
    if copy.isIdentity { return make(shape, entry.stored.source, [entry]) }
    let isOfRuns = copy.dimensions.last.map { $0.stride == 1 && $0.size >= Self.fewInRun } ?? false
    if isOfRuns || copy.count > Self.mostHeld {
      let view = StridedTensorSource(
        entry.stored.source, offset: copy.origin, sizes: copy.dimensions.map(\.size),
        strides: copy.dimensions.map(\.stride))
      return make(shape, view, [entry])
    }
    made += 1
    let tensor = RelatedTensor(name: entry.name, shape: entry.shape, source: entry.stored.source)
    return make(
      shape,
      RelatedTensorSource(
        [RelatedPart(source: 0, rearrangement: move)], of: [tensor], shape: shape, cache: cache,
        id: made), [entry])
  }

  /// Returns a tensor made of others.
  private func make(_ shape: [Int], _ source: any TensorSource, _ pieces: [Entry]) -> Entry {
    let stored = StoredTensor(
      source: source, layout: nil, shape: shape,
      path: pieces.map(\.stored.path).joined(separator: " + "))
    return Entry(
      name: "", stored: stored, origins: pieces.flatMap(\.origins), isTouched: true, isMoved: true)
  }
}

extension TensorSource {
  /// Returns a range along an axis of an array with the given shape.
  fileprivate func part(of shape: [Int], axis: Int, _ range: Range<Int>) -> any TensorSource {
    guard shape[..<axis].allSatisfy({ $0 == 1 }) else {
      return section(of: shape, axis: axis, range)
    }
    let stride = shape[(axis + 1)...].reduce(1, *)
    return SliceSource(self, range.lowerBound * stride..<range.upperBound * stride)
  }
}

extension NetconvError {
  fileprivate static func noAxis(_ axis: Int, _ shape: [Int]) -> NetconvError {
    NetconvError(.usage, "there is no axis \(axis) in the shape \(Shape(shape))")
  }

  fileprivate static func unlikeShapes(_ shapes: [[Int]]) -> NetconvError {
    let list = shapes.prefix(4).map { "\(Shape($0))" }.joined(separator: ", ")
    return NetconvError(.usage, "the shapes do not fit together: \(list)")
  }

  fileprivate static func otherLength(_ length: Int, stated: Int) -> NetconvError {
    NetconvError(.usage, "a part has length \(length), and 'parts' says \(stated)")
  }

  fileprivate static func otherSum(_ lengths: [Int], of length: Int) -> NetconvError {
    NetconvError(
      .usage,
      "'parts' add up to \(lengths.reduce(0, +)), and the axis has length \(length)")
  }
}
