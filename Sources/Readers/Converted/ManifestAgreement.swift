import Documents
import ModelIR

/// Checks that a manifest's network and its tensor records agree on each parameter.
///
/// Hashes show that the bytes are intact; a program that reads them in the wrong layout still computes nonsense.
struct ManifestAgreement {
  private let manifest: Manifest

  init(_ manifest: Manifest) {
    self.manifest = manifest
  }

  /// Returns the content of the manifest, with the shape of every parameter, once the two agree.
  ///
  /// - Throws: `badData` that names the layer, the tensor, and the two values.
  func checkedContent() throws(NetconvError) -> Manifest.Content {
    var records: [String: TensorRecord] = [:]
    for record in manifest.tensors {
      do throws(NetconvError) {
        guard records.updateValue(record, forKey: record.place.path) == nil else {
          throw .repeatedFile(record.place.path)
        }
        try Self.checkLength(record)
      } catch {
        throw error.inTensor(record.role).inLayer(record.layer)
      }
    }
    switch manifest.content {
    case .model(let model): return .model(try checked(model, records))
    case .weights(let weights):
      try check(weights, records)
      return manifest.content
    }
  }

  private func checked(
    _ document: ModelDocument, _ records: [String: TensorRecord]
  ) throws(NetconvError) -> ModelDocument {
    var model = document
    for layer in model.layers.indices {
      let owner = model.layers[layer].sharesParametersOf ?? model.layers[layer].name
      for index in model.layers[layer].parameters.indices {
        let parameter = model.layers[layer].parameters[index]
        do throws(NetconvError) {
          model.layers[layer].parameters[index].shape =
            try record(of: parameter, of: owner, in: records).shape
        } catch {
          throw error.inTensor(parameter.role).inLayer(model.layers[layer].name)
        }
      }
    }
    try checkUse(
      of: model.layers.flatMap { layer in layer.parameters.flatMap { [$0.path] + $0.scalePaths } })
    return model
  }

  private func check(
    _ weights: WeightsDocument, _ records: [String: TensorRecord]
  ) throws(NetconvError) {
    var paths: [String] = []
    for layer in weights.layers {
      for parameter in layer.parameters {
        do throws(NetconvError) {
          let document = parameter.document(shape: try parameter.shape)
          paths += [document.path] + document.scalePaths
          _ = try record(of: document, of: layer.name, in: records)
        } catch {
          throw error.inTensor(parameter.role).inLayer(layer.name)
        }
      }
    }
    try checkUse(of: paths)
  }

  /// Returns the record of a parameter after checking that it agrees.
  private func record(
    of parameter: ParameterDocument, of owner: String, in records: [String: TensorRecord]
  ) throws(NetconvError) -> TensorRecord {
    guard let record = records[parameter.path] else { throw .notInManifest(parameter.path) }
    var scale: TensorRecord?
    if let path = parameter.scale?.path {
      guard let found = records[path] else { throw .notInManifest(path) }
      scale = found
    }
    try compare(parameter, scale, of: owner, with: record)
    if let scale { try Self.checkScale(scale, of: record) }
    return record
  }

  private static func checkLength(_ record: TensorRecord) throws(NetconvError) {
    guard let type = ElementType(rawValue: record.dtype) else {
      throw .unknownElementType(record.dtype)
    }
    let expected = try product(record.shape + [type.byteCount])
    for (_, place) in record.places.sorted(by: { $0.key < $1.key }) where place.length != expected {
      throw .wrongLength(place.length, expected: expected, shape: record.shape, type: type)
    }
  }

  private func compare(
    _ parameter: ParameterDocument, _ scale: TensorRecord?, of owner: String,
    with record: TensorRecord
  ) throws(NetconvError) {
    let facts = [
      ("layer", quoted(owner), quoted(record.layer)),
      ("role", quoted(parameter.role), quoted(record.role)),
      ("dtype", quoted(parameter.dtype), quoted(record.dtype)),
      ("scale", quoted(scale?.name ?? ""), quoted(record.scale ?? "")),
      ("offset of the scale", "\(parameter.scale?.offset ?? 0)", "0"),
      ("layout", quoted(parameter.layout), quoted(record.layout)),
      ("reversed", "\(parameter.reversed ?? [])", "\(record.reversed)"),
      ("shape", "\(parameter.shape ?? record.shape)", "\(record.shape)"),
      ("offset", "\(parameter.offset ?? 0)", "0"),
    ]
    for (name, inModel, inTensors) in facts where inModel != inTensors {
      throw .differentDescriptions(
        name, inModel, inTensors, in: manifest.model == nil ? "weights" : "model",
        file: record.place.path)
    }
  }

  /// Checks that the record of a scale tensor describes a scale.
  private static func checkScale(
    _ scale: TensorRecord, of record: TensorRecord
  ) throws(NetconvError) {
    let facts = [
      ("layer", quoted(record.layer), quoted(scale.layer)),
      ("role", quoted(ParameterRole(rawValue: record.role).scale.rawValue), quoted(scale.role)),
      ("dtype", quoted(ElementType.float32.rawValue), quoted(scale.dtype)),
    ]
    for (name, expected, found) in facts where expected != found {
      throw .wrongScales(scale.place.path, name, found, expected: expected)
    }
  }

  /// Checks that every tensor is a parameter of the network, or the scale of one.
  private func checkUse(of paths: [String]) throws(NetconvError) {
    let used = Set(paths)
    for record in manifest.tensors where !used.contains(record.place.path) {
      throw NetconvError.unusedTensor(record.place.path).inTensor(record.role).inLayer(record.layer)
    }
  }
}

extension ParameterDocument {
  /// The path of the scales, if any.
  fileprivate var scalePaths: [String] { [scale?.path].compactMap(\.self) }
}

extension NetconvError {
  fileprivate static func wrongLength(
    _ found: Int, expected: Int, shape: [Int], type: ElementType
  ) -> NetconvError {
    NetconvError(
      .badData,
      "the manifest says that it holds \(found) bytes, but \(shape) of \(type.rawValue) are "
        + "\(expected); convert the model again")
  }

  fileprivate static func differentDescriptions(
    _ what: String, _ inModel: String, _ inTensors: String, in key: String, file: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "the manifest contradicts itself about \(quoted(file)): its \(what) is \(inModel) in '\(key)' "
        + "and \(inTensors) in 'tensors'; convert the model again")
  }

  fileprivate static func wrongScales(
    _ file: String, _ what: String, _ found: String, expected: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "the manifest names \(quoted(file)) as its scales, but the \(what) of these is \(found), expected "
        + "\(expected); convert the model again")
  }

  fileprivate static func unusedTensor(_ file: String) -> NetconvError {
    NetconvError(
      .badData,
      "no layer of the manifest's model has the parameter \(quoted(file)); convert the model again")
  }

  fileprivate static func repeatedFile(_ file: String) -> NetconvError {
    NetconvError(.badData, "the manifest lists \(quoted(file)) twice; convert the model again")
  }
}
