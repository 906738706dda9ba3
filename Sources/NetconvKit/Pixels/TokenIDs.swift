import Datasets
import Diagnosis
import ModelIR

extension Model {
  /// Checks that the values for an input are integers, if a layer reads them as token ids.
  ///
  /// The layer would truncate fractions, as Keras does: token ids that were scaled would all become 0.
  ///
  /// - Throws: `badData` naming the first value that is not an integer, `inputOutput` if the array cannot be read.
  func checkTokenIDs(in array: SampleArray, of input: String) throws(NetconvError) {
    guard !array.elementType.isInteger, let layer = layerReadingTokenIDs(of: input) else { return }
    try array.forEachPiece { start, values throws(NetconvError) in
      guard let index = values.firstIndex(where: { $0 != $0.rounded() }) else { return }
      throw .fractionalTokenID(
        values[index], sample: (start + index) / max(1, array.sampleSize), layer: layer.name)
    }
  }
}

extension NetconvError {
  fileprivate static func fractionalTokenID(_ value: Float, sample: Int, layer: String)
    -> NetconvError
  {
    NetconvError(
      .badData,
      "sample \(sample) holds \(numeral(value)), but layer \(quoted(layer)) needs token ids, which are "
        + "integers; they may be scaled")
  }
}
