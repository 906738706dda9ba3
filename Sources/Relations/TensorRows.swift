import ModelIR

/// The rows of a tensor along one of its axes: a row is the values whose other indices are equal.
///
/// Rows are numbered in the row-major order of the other axes.
struct TensorRows {
  let tensor: RelatedTensor
  /// The index of the axis in the shape.
  let axis: Int

  /// The number of values of a row.
  var length: Int { tensor.shape[axis] }
  /// The number of rows.
  var count: Int { length == 0 ? 0 : tensor.count / length }
  /// The distance of two values of a row.
  var stride: Int { rowMajorStrides(of: tensor.shape)[axis] }
  /// The shape without the axis.
  var otherShape: [Int] {
    var shape = tensor.shape
    shape.remove(at: axis)
    return shape
  }

  /// A hash of the values of each row in their order; `nil` for rows of which all values are the same.
  ///
  /// - Throws: An error if the values cannot be read.
  func hashes() throws(NetconvError) -> [UInt64?] {
    let (length, stride) = (length, stride)
    var sums = [UInt64](repeating: 0, count: count)
    var firsts = [UInt32](repeating: 0, count: count)
    var isVaried = [Bool](repeating: false, count: count)
    try tensor.source.forEachPiece(in: 0..<tensor.count) { range, values in
      for (index, value) in zip(range, values) {
        let (outer, inner) = index.quotientAndRemainder(dividingBy: stride)
        let row = outer / length * stride + inner
        let bits = value.bitPattern
        if outer % length == 0 { firsts[row] = bits }
        if bits != firsts[row] { isVaried[row] = true }
        sums[row] = sums[row] &* 0x9e37_79b9_7f4a_7c15 &+ Fingerprint.hash(bits)
      }
    }
    return zip(sums, isVaried).map { $1 ? $0 : nil }
  }
}

/// A row of a tensor.
struct RowName: Hashable, Sendable {
  /// The index of the tensor in its set.
  let tensor: Int
  /// The axis along which the row lies.
  let axis: Int
  let row: Int
}
