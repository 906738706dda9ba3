import Documents
import Files
import ModelIR

/// The copies of tensors that netconv wrote in the shards of a TensorFlow.js layers model.
struct ShardedCopies: ForeignCopies {
  /// The name of the container in the manifest.
  let format = OutputFormat.tfjs.rawValue
  private let folder: String
  private let manifest: Manifest
  private let model: Model

  /// Opens the copies in `folder`; returns `nil` if they were not written, or have been deleted.
  init?(_ manifest: Manifest, _ network: Network, in folder: String, there names: [String]) {
    guard manifest.formats.contains(format), names.contains(TFJSContainer.file),
      case .model(let model) = network
    else { return nil }
    (self.folder, self.manifest, self.model) = (folder, manifest, model)
  }

  /// Returns the location of each array of the layers model.
  ///
  /// - Throws: `badData` if its arrays are not those that netconv wrote, or the shards do not agree with it;
  ///   `cannotOpen`.
  func copies() throws(NetconvError) -> [ForeignCopy] {
    let file = try ContainedPath(TFJSContainer.file, in: folder).open()
    do throws(NetconvError) {
      let document = try JSONDocument.parse(
        file.contents(limit: JSONDocument.sizeLimit), refusesRepeatedKeys: true)
      let groups = try TFJSGroup.groups(document["weightsManifest"] ?? .null, in: folder)
      let written = try TFJSDocument(model)
      guard document["modelTopology"]?["model_config"] == written.config else {
        throw .differentTFJSLayers
      }
      let keys = try Self.keys(of: groups.flatMap(\.weights), written.weights)
      var copies: [ForeignCopy] = []
      for group in groups {
        var offset = 0
        for weight in group.weights {
          let range = offset..<offset + weight.byteCount
          offset += weight.byteCount
          copies.append(
            ForeignCopy(
              record: try record(of: keys[weight.name], weight), parts: group.parts(of: range)))
        }
      }
      return copies
    } catch {
      throw error.inFile(file.path)
    }
  }

  /// Returns the tensors of arrays by the names of the arrays.
  private static func keys(
    of arrays: [TFJSWeight], _ written: [TFJSDocument.Weight]
  ) throws(NetconvError) -> [String: TensorKey] {
    let names = arrays.map(\.name)
    for index in 0..<max(names.count, written.count) {
      let found = index < names.count ? names[index] : nil
      let expected = index < written.count ? written[index].name : nil
      guard found == expected else { throw .differentTFJSArray(found, expected: expected) }
    }
    return Dictionary(written.map { ($0.name, $0.key) }) { first, _ in first }
  }

  private func record(
    of key: TensorKey?, _ weight: TFJSWeight
  ) throws(NetconvError) -> TensorRecord {
    let record = manifest.tensors.first { $0.layer == key?.layer && $0.role == key?.role.rawValue }
    guard let record else { throw .notInManifest(weight.name) }
    guard weight.elementType.rawValue == record.dtype, weight.shape == record.shape else {
      throw NetconvError.differentContents(
        "\(weight.elementType.rawValue) \(weight.shape)",
        manifest: "\(record.dtype) \(record.shape)"
      ).inTensor(weight.name)
    }
    return record
  }
}

extension NetconvError {
  fileprivate static func differentTFJSArray(_ found: String?, expected: String?) -> NetconvError {
    let name = { (name: String?) in name.map { "the array \(quoted($0))" } ?? "no more arrays" }
    return NetconvError(
      .badData,
      "lists \(name(found)) where netconv wrote \(name(expected)); convert the model again")
  }

  fileprivate static var differentTFJSLayers: NetconvError {
    NetconvError(
      .badData,
      "its layers are not those that netconv writes for this model; convert the model again")
  }
}
