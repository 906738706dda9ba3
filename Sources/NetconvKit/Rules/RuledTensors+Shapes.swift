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
    var made: [RelatedPart] = []
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
      let section = RelatedPart.Section(axis: axis, range: start..<start + length)
      made.append(RelatedPart(target: [section], source: index))
      start += length
    }
    shape[axis] = start
    return make(shape, made, pieces)
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
      let section = RelatedPart.Section(axis: axis, range: start..<start + length)
      made.append(make(own, [RelatedPart(source: 0, sourceSections: [section])], [entry]))
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
    let parts = pieces.indices.map { index in
      RelatedPart(
        target: [RelatedPart.Section(axis: 0, range: index..<index + 1)], source: index)
    }
    return make([pieces.count] + shape, parts, pieces)
  }

  /// Returns the tensors along the first axis.
  mutating func unstacked(_ entry: Entry) throws(NetconvError) -> [Entry] {
    guard let count = entry.shape.first, count > 0, count <= Self.mostPieces else {
      throw .noAxis(0, entry.shape)
    }
    return (0..<count).map { index in
      let section = RelatedPart.Section(axis: 0, range: index..<index + 1)
      return make(
        Array(entry.shape.dropFirst()), [RelatedPart(source: 0, sourceSections: [section])], [entry]
      )
    }
  }

  /// Returns a tensor of parts of others.
  mutating func make(
    _ shape: [Int], _ parts: [RelatedPart], _ pieces: [Entry]
  ) -> Entry {
    made += 1
    let tensors = pieces.map {
      RelatedTensor(name: $0.name, shape: $0.shape, source: $0.stored.source)
    }
    let source = RelatedTensorSource(parts, of: tensors, shape: shape, cache: cache, id: made)
    let stored = StoredTensor(
      source: source, layout: nil, shape: shape,
      path: pieces.map(\.stored.path).joined(separator: " + "))
    return Entry(
      name: "", stored: stored, origins: pieces.flatMap(\.origins), isTouched: true, isMoved: true)
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
