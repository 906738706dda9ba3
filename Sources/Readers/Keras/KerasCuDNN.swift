import ModelIR

/// Weights in the cuDNN format of Keras 2's CuDNNLSTM and CuDNNGRU.
///
/// The matrix of each gate is (units, inputs) in memory, whatever shape the file states. The bias is one vector: the
/// biases of the input products, followed by those of the state products.
///
/// Source: Keras 2.3 and tf_keras, `_convert_rnn_weights`.
enum KerasCuDNN {
  private static let gateCounts = ["LSTM": 4, "CuDNNLSTM": 4, "GRU": 3, "CuDNNGRU": 3]

  /// Converts the weights of a layer to the format of LSTM and GRU.
  ///
  /// The bias decides whether to convert, as in Keras, because either layer can load the weights of the other.
  static func plain(
    _ weights: [(name: String, stored: StoredTensor)], of layer: KerasLayerConfig
  ) -> [(name: String, stored: StoredTensor)] {
    let names = [KerasWeight.kernel, .recurrentKernel, .bias].map(\.name)
    guard let gates = gateCounts[layer.className], weights.count == names.count,
      let order = order(of: weights.map(\.name), names)
    else { return weights }
    let (kernel, recurrent, bias) = (weights[order[0]], weights[order[1]], weights[order[2]])
    guard let units = recurrent.stored.shape?.first, let rows = kernel.stored.shape?.first,
      (1..<limit).contains(units), (1..<limit).contains(rows),
      kernel.stored.shape == [rows, gates * units],
      recurrent.stored.shape == [units, gates * units], bias.stored.shape == [2 * gates * units]
    else { return weights }
    var plain = weights
    for (index, rows) in zip(order, [rows, units]) {
      plain[index].stored.source = CuDNNKernel(
        plain[index].stored.source, rows: rows, gates: gates, units: units)
    }
    if gates == 3 {
      plain[order[2]].stored.shape = [2, gates * units]
    } else {
      plain[order[2]].stored.source = SumOfHalves(whole: bias.stored.source)
      plain[order[2]].stored.shape = [gates * units]
    }
    for (index, name) in zip(order, names) { plain[index].name = name }
    return plain
  }

  /// The largest supported number of units or inputs.
  private static let limit = 1 << 20

  /// Returns the index of each of `names` in `found`, whose names may be mere numbers.
  private static func order(of found: [String], _ names: [String]) -> [Int]? {
    if found == names.indices.map({ "vars/\($0)" }) { return Array(names.indices) }
    let order = names.compactMap(found.firstIndex(of:))
    return order.count == names.count ? order : nil
  }
}

/// An `I(GN)` kernel view of gates stored in cuDNN's format.
private struct CuDNNKernel: TensorSource {
  private let stored: WholeTensor
  private let rows: Int
  private let gates: Int
  private let units: Int

  init(_ source: any TensorSource, rows: Int, gates: Int, units: Int) {
    stored = WholeTensor(source)
    (self.rows, self.gates, self.units) = (rows, gates, units)
  }

  var elementType: ElementType { stored.source.elementType }
  var count: Int { stored.source.count }
  var isSequential: Bool { stored.source.isSequential }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    let stored = try stored.values()
    for index in range {
      let (row, column) = index.quotientAndRemainder(dividingBy: gates * units)
      let (gate, unit) = column.quotientAndRemainder(dividingBy: units)
      // The position in the gate's matrix, which Keras reads as rows of `units` values.
      let place = unit * rows + row
      values[index - range.lowerBound] =
        stored[(place / units * gates + gate) * units + place % units]
    }
  }

  func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
    // Counts all values at once, since the range is scattered over the source.
    range.lowerBound == 0 ? try stored.source.overflows(in: 0..<count) : Overflow()
  }
}

/// A vector that is the sum of the two halves of another vector.
private struct SumOfHalves: TensorSource {
  let whole: any TensorSource

  var elementType: ElementType { .float32 }
  var count: Int { whole.count / 2 }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    let second = UnsafeMutableBufferPointer<Float>.allocate(capacity: range.count)
    defer { second.deallocate() }
    try whole.read(range, into: values)
    try whole.read(behind(range), into: second)
    for index in second.indices { values[index] += second[index] }
  }

  func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
    var overflow = try whole.overflows(in: range)
    let second = try whole.overflows(in: behind(range))
    if let first = second.first { overflow.note(second.largest, at: first - count) }
    return overflow
  }

  /// Returns the corresponding range in the second half.
  private func behind(_ range: Range<Int>) -> Range<Int> {
    range.lowerBound + count..<range.upperBound + count
  }
}
