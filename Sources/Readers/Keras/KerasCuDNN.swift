import ModelIR

/// Weights in the order of cuDNN, as CuDNNLSTM and CuDNNGRU of Keras 2 have them.
///
/// The matrix of each gate is (units, inputs) in memory, whatever shape the file states; the bias is one vector for the
/// products of the input, and behind it one for those of the state.
///
/// Source: Keras 2.3 and tf_keras, `_convert_rnn_weights`.
enum KerasCuDNN {
  private static let gateCounts = ["LSTM": 4, "CuDNNLSTM": 4, "GRU": 3, "CuDNNGRU": 3]

  /// Weights of a layer as LSTM and GRU have them.
  ///
  /// The bias tells, as it does to Keras, since weights of the one layer are loaded into the other.
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

  /// No layer has as many units, or inputs.
  private static let limit = 1 << 20

  /// Where each of `names` is in `found`, which a file may only number.
  private static func order(of found: [String], _ names: [String]) -> [Int]? {
    if found == names.indices.map({ "vars/\($0)" }) { return Array(names.indices) }
    let order = names.compactMap(found.firstIndex(of:))
    return order.count == names.count ? order : nil
  }
}

/// A kernel of `I(GN)` whose gates are stored as cuDNN has them.
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
      // The place in the matrix of the gate, which Keras reads as rows of so many units.
      let place = unit * rows + row
      values[index - range.lowerBound] =
        stored[(place / units * gates + gate) * units + place % units]
    }
  }

  func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
    // Of all values, since those of the range lie anywhere.
    range.lowerBound == 0 ? try stored.source.overflows(in: 0..<count) : Overflow()
  }
}

/// A vector that is the sum of two halves of another one.
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

  /// The same places in the second half.
  private func behind(_ range: Range<Int>) -> Range<Int> {
    range.lowerBound + count..<range.upperBound + count
  }
}
