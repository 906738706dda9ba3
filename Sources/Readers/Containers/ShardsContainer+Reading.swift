import Documents
import Files
import ModelIR

extension ShardsContainer: ReadableContainer {
  static func open(in folder: String) throws(NetconvError) -> any OpenContainer {
    let file = try ContainedPath(ShardsContainer.file, in: folder).open()
    do throws(NetconvError) {
      let document = try JSONDocument.decode(
        ShardIndexDocument.self, from: file.contents(limit: JSONDocument.sizeLimit))
      return OpenShards(folder: folder, index: file, files: document.weightMap)
    } catch {
      throw error.inFile(file.path)
    }
  }
}

/// A folder of safetensors files with an index that has been read.
private struct OpenShards: OpenContainer {
  let folder: String
  let index: RandomAccessFile
  let files: [String: String]

  func copies(_ wanted: ConvertedCopies) throws(NetconvError) -> [ConvertedSource.Copy] {
    var opened: [String: SafetensorsFile] = [:]
    return try wanted.copies { place, record throws(NetconvError) in
      let name = place.tensor ?? place.file
      guard files[name] == place.file else {
        throw NetconvError.otherShard(name, files[name], manifest: place.file).inFile(index.path)
      }
      let shard =
        if let known = opened[place.file] {
          known
        } else {
          try SafetensorsFile(ContainedPath(place.file, in: folder).open())
        }
      opened[place.file] = shard
      return try shard.place(of: name, place.length, record)
    }
  }
}

extension NetconvError {
  fileprivate static func otherShard(
    _ tensor: String, _ found: String?, manifest: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "names \(found.map { quoted($0) } ?? "no file") for \(quoted(tensor)), the manifest says \(quoted(manifest)); "
        + "convert the model again")
  }
}
