import ModelIR

/// Recurrent layers of Keras 1, which have a separate kernel, recurrent kernel and bias for each gate.
///
/// Source: Keras 1.2.2, `build` in keras/layers/recurrent.py; Keras 2.3, `preprocess_weights_for_loading`.
enum KerasGates {
  /// The index in the file of each gate of the current order: Keras 1 has i, c, f, o, and z, r, h.
  private static let places = [
    "LSTM": [0, 2, 1, 3], "ConvLSTM2D": [0, 2, 1, 3], "GRU": [0, 1, 2],
  ]

  /// Returns weights with concatenated gates, as Keras has stored them since version 2.
  ///
  /// The number of weights decides, as in Keras: with `consume_less="gpu"` the gates are already concatenated.
  static func joined(
    _ weights: [(name: String, stored: StoredTensor)], of layer: KerasLayerConfig
  ) -> [(name: String, stored: StoredTensor)] {
    let joined = [KerasWeight.kernel, .recurrentKernel, .bias]
    guard layer.kerasVersion == 1, let places = places[layer.className],
      weights.count == joined.count * places.count
    else { return weights }
    let whole = joined.indices.compactMap { index in
      SideBySide.joining(places.map { weights[joined.count * $0 + index].stored })
    }
    guard whole.count == joined.count else { return weights }
    return zip(joined, whole).map { ($0.name, $1) }
  }
}

/// Matrices of equal shape concatenated along the last axis.
private struct SideBySide: TensorSource {
  private let parts: [any TensorSource]
  /// The row length of each part.
  private let columns: Int

  /// - Returns: `nil` if the shapes differ.
  static func joining(_ parts: [StoredTensor]) -> StoredTensor? {
    guard var whole = parts.first, let shape = whole.shape, let columns = shape.last, columns > 0,
      parts.allSatisfy({ $0.shape == shape })
    else { return nil }
    whole.source = SideBySide(parts: parts.map(\.source), columns: columns)
    whole.shape = shape.dropLast() + [columns * parts.count]
    return whole
  }

  var elementType: ElementType { parts[0].elementType }
  var count: Int { parts.reduce(0) { $0 + $1.count } }
  var isSequential: Bool { parts[0].isSequential }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    guard !range.isEmpty else { return }
    let rowLength = columns * parts.count
    let rows = range.lowerBound / rowLength..<(range.upperBound - 1) / rowLength + 1
    let part = UnsafeMutableBufferPointer<Float>.allocate(capacity: rows.count * columns)
    defer { part.deallocate() }
    for (index, source) in parts.enumerated() {
      try source.read(rows.lowerBound * columns..<rows.upperBound * columns, into: part)
      for row in rows {
        let first = row * rowLength + index * columns
        for place in (first..<first + columns).clamped(to: range) {
          values[place - range.lowerBound] =
            part[(row - rows.lowerBound) * columns + place - first]
        }
      }
    }
  }

  func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
    var overflow = Overflow()
    guard range.lowerBound == 0 else { return overflow }
    for (index, source) in parts.enumerated() {
      let own = try source.overflows(in: 0..<source.count)
      if let first = own.first {
        let (row, column) = first.quotientAndRemainder(dividingBy: columns)
        overflow.note(own.largest, at: (row * parts.count + index) * columns + column)
      }
    }
    return overflow
  }
}
