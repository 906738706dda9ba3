import Datasets
import ModelIR

/// Activations that some framework saved: arrays called like the layers and inputs of a model.
struct SavedActivations {
  /// By the name of the layer or input; the first axis is the batch.
  let values: [String: NDArray<Float>]
  /// What was fed.
  let inputs: [String: NDArray<Float>]
  /// Samples.
  let count: Int

  /// Reads the arrays of an `.npz`.
  ///
  /// - Throws: `cannotOpen`, or `badData` if an input is missing, a name is no layer's, a shape is not the layer's,
  ///   or a value is not finite.
  init(_ path: String, for model: Model) throws(NetconvError) {
    let arrays = try NumpyArchive.read(path)
    do throws(NetconvError) {
      let known = arrays.filter { model.shape(of: $0.name) != nil }
      guard known.count == arrays.count else {
        throw .unknownActivations(
          arrays.filter { array in !known.contains { $0.name == array.name } }.map(\.name),
          model: model)
      }
      let missing = model.inputs.filter { input in !known.contains { $0.name == input.name } }
      guard missing.isEmpty else { throw .missingActivations(missing.map(\.name)) }
      guard known.contains(where: { model.layer(named: $0.name) != nil }) else {
        throw .noActivations(model: model)
      }
      let batch = known.first.flatMap { $0.array.shape.first } ?? 0
      var values: [String: NDArray<Float>] = [:]
      for (name, array) in known {
        guard let shape = model.shape(of: name), array.shape.first == batch, batch > 0,
          Shape(Array(array.shape.dropFirst())).isCompatible(with: shape)
        else {
          throw NetconvError.wrongActivation(
            array.shape, expected: model.shape(of: name) ?? Shape([Int]()), batch: batch
          ).inLayer(name)
        }
        if let index = array.values.firstIndex(where: { !$0.isFinite }) {
          throw NetconvError.nonFiniteActivation(array.values[index], at: index).inLayer(name)
        }
        values[name] = NDArray(shape: array.shape, values: array.values)
      }
      self.values = values
      inputs = values.filter { name, _ in model.inputs.contains { $0.name == name } }
      count = batch
    } catch {
      throw error.inFile(path)
    }
  }
}
