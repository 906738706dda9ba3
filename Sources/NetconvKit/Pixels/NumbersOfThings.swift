import Datasets
import Diagnosis
import ModelIR

extension Model {
  /// Checks that what an input is fed with is whole, if a layer takes it for numbers of things.
  ///
  /// The layer would cut fractions off, as Keras does: tokens that somebody has scaled would all be token 0.
  ///
  /// - Throws: `badData` naming the first value that is not whole, `inputOutput` if the array cannot be read.
  func checkNumbersOfThings(in array: SampleArray, of input: String) throws(NetconvError) {
    guard !array.elementType.isInteger, let layer = layerTakingNumbers(of: input) else { return }
    try array.forEachPiece { start, values throws(NetconvError) in
      guard let index = values.firstIndex(where: { $0 != $0.rounded() }) else { return }
      throw .fractionOfThing(
        values[index], sample: (start + index) / max(1, array.sampleSize), layer: layer.name)
    }
  }
}
