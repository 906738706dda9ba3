import Documents
import Files
import ModelIR

/// A group of shards and the arrays that are concatenated in them, regardless of shard boundaries.
struct TFJSGroup {
  let shards: [RandomAccessFile]
  let weights: [TFJSWeight]
  /// The total number of bytes of the arrays, which is that of the shards.
  let byteCount: Int

  /// The maximum number of shards.
  private static let mostFiles = 1 << 16

  /// Reads the groups of `weightsManifest`, in which no array may occur twice.
  ///
  /// - Parameter folder: The folder of the shards.
  /// - Throws: `badData` if the manifest is invalid, or the shards do not agree with it; `cannotOpen`.
  static func groups(
    _ manifest: JSONValue, in folder: String
  ) throws(NetconvError) -> [TFJSGroup] {
    guard let list = manifest.array else { throw .wrongTFJSManifest("weightsManifest") }
    let groups = try list.enumerated().map { number, group throws(NetconvError) in
      try TFJSGroup(group, place: "weightsManifest[\(number)]", in: folder)
    }
    var names: Set<String> = []
    for weight in groups.flatMap(\.weights) {
      guard names.insert(weight.name).inserted else {
        throw .repeatedTFJSWeight.inTensor(weight.name)
      }
    }
    return groups
  }

  private init(
    _ group: JSONValue, place: String, in folder: String
  ) throws(NetconvError) {
    guard let paths = group["paths"]?.array, let list = group["weights"]?.array,
      paths.count <= Self.mostFiles
    else { throw .wrongTFJSManifest(place) }
    shards = try paths.map { path throws(NetconvError) in
      guard let name = path.string else { throw .wrongTFJSManifest(place + ".paths") }
      return try ContainedPath(name, in: folder).open()
    }
    weights = try list.enumerated().map { index, value throws(NetconvError) in
      try TFJSWeight(value, place: "\(place).weights[\(index)]")
    }
    var size = 0
    for weight in weights {
      let (sum, overflow) = size.addingReportingOverflow(weight.byteCount)
      guard !overflow else { throw NetconvError.wrongTFJSShape.inTensor(weight.name) }
      size = sum
    }
    byteCount = size
    let found = shards.reduce(0) { $0 + $1.size }
    guard size == found else {
      throw NetconvError.wrongTFJSSize(found, expected: size).inFile(shards.last?.path ?? folder)
    }
  }

  /// Returns the file ranges of a byte range of the arrays.
  func parts(of range: Range<Int>) -> [(file: RandomAccessFile, range: Range<Int>)] {
    var start = 0
    return shards.compactMap { shard in
      defer { start += shard.size }
      let common = range.clamped(to: start..<start + shard.size)
      return common.isEmpty
        ? nil : (shard, common.lowerBound - start..<common.upperBound - start)
    }
  }
}

extension NetconvError {
  fileprivate static var repeatedTFJSWeight: NetconvError {
    NetconvError(
      .badData, "occurs twice in 'weightsManifest'; each array needs a unique name")
  }

  fileprivate static func wrongTFJSSize(_ found: Int, expected: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the shards have \(found) bytes, but the arrays of model.json need \(expected); copy all files again"
    )
  }
}
