import Documents
import ModelIR

/// The comparison of a manifest's model with its tensors: both say how each parameter is written.
///
/// Hashes say that the bytes are right; whoever reads them in another layout computes nonsense all the same.
struct ManifestAgreement {
  private let manifest: Manifest

  /// The comparison of what `manifest` says.
  init(_ manifest: Manifest) {
    self.manifest = manifest
  }

  /// The model, with the shape of every parameter, after the comparison.
  ///
  /// - Throws: `badData` naming the layer, the tensor, and what the two say.
  func checkedModel() throws(NetconvError) -> ModelDocument {
    var records: [String: TensorRecord] = [:]
    for record in manifest.tensors {
      do throws(NetconvError) {
        guard records.updateValue(record, forKey: record.file) == nil else {
          throw .repeatedFile(record.file)
        }
        try Self.checkLength(record)
      } catch {
        throw error.inTensor(record.role).inLayer(record.layer)
      }
    }
    var model = manifest.model
    for layer in model.layers.indices {
      let owner = model.layers[layer].sharesParametersOf ?? model.layers[layer].name
      for index in model.layers[layer].parameters.indices {
        let parameter = model.layers[layer].parameters[index]
        do throws(NetconvError) {
          guard let record = records[parameter.file] else { throw .notInManifest(parameter.file) }
          try Self.compare(parameter, of: owner, with: record)
          model.layers[layer].parameters[index].shape = record.shape
        } catch {
          throw error.inTensor(parameter.role).inLayer(model.layers[layer].name)
        }
      }
    }
    try checkUse()
    return model
  }

  private static func checkLength(_ record: TensorRecord) throws(NetconvError) {
    guard let type = ElementType(rawValue: record.dtype) else {
      throw .unknownElementType(record.dtype)
    }
    let expected = try product(record.shape + [type.byteCount])
    guard record.length == expected else {
      throw .wrongLength(record.length, expected: expected, shape: record.shape, type: type)
    }
  }

  private static func compare(
    _ parameter: ParameterDocument, of owner: String, with record: TensorRecord
  ) throws(NetconvError) {
    let facts = [
      ("layer", quoted(owner), quoted(record.layer)),
      ("role", quoted(parameter.role), quoted(record.role)),
      ("dtype", quoted(parameter.dtype), quoted(record.dtype)),
      ("layout", quoted(parameter.layout), quoted(record.layout)),
      ("reversed", "\(parameter.reversed ?? [])", "\(record.reversed)"),
      ("shape", "\(parameter.shape ?? record.shape)", "\(record.shape)"),
      ("offset", "\(parameter.offset ?? 0)", "0"),
    ]
    for (name, inModel, inTensors) in facts where inModel != inTensors {
      throw .differentDescriptions(name, inModel, inTensors, file: record.file)
    }
  }

  /// Checks that every tensor is a parameter of the model.
  private func checkUse() throws(NetconvError) {
    let used = Set(manifest.model.layers.flatMap { $0.parameters.map(\.file) })
    for record in manifest.tensors where !used.contains(record.file) {
      throw NetconvError.unusedTensor(record.file).inTensor(record.role).inLayer(record.layer)
    }
  }
}
