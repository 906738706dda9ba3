import Documents
import Files
import ModelIR

/// The arrays of a layers model: names and shapes from `weightsManifest`, values from the concatenated shards.
struct TFJSWeights: KerasWeightSource {
  let files: [RandomAccessFile]
  let isOfTheano = false
  let holdsLoRA = false
  private let weights: [(owners: [Substring], name: String, stored: StoredTensor)]

  /// Reads the arrays of a manifest.
  ///
  /// - Parameter folder: The folder of the shards.
  /// - Throws: `badData` if the manifest is invalid, or the shards do not agree with it; `cannotOpen`.
  init(_ manifest: JSONValue, in folder: String) throws(NetconvError) {
    var weights: [(owners: [Substring], name: String, stored: StoredTensor)] = []
    let groups = try TFJSGroup.groups(manifest, in: folder)
    for group in groups {
      let joined = try Self.joined(group.shards, size: group.byteCount)
      var offset = 0
      for weight in group.weights {
        var parts = weight.name.split(separator: "/", omittingEmptySubsequences: false)
        let last = String(parts.removeLast())
        weights.append((parts, last, try weight.stored(in: joined, at: offset)))
        offset += weight.byteCount
      }
    }
    files = groups.flatMap(\.shards)
    self.weights = weights
  }

  /// Concatenates the shards into one file, because an array may span several.
  private static func joined(
    _ shards: [RandomAccessFile], size: Int
  ) throws(NetconvError) -> RandomAccessFile? {
    guard shards.count > 1 else { return shards.first }
    let joined = try OutputFile.temporary()
    try joined.checkRoom(for: size)
    var offset = 0
    for shard in shards {
      try shard.forEachChunk(in: 0..<shard.size, of: 1 << 20) { chunk throws(NetconvError) in
        try joined.write(chunk, at: offset)
        offset += chunk.count
      }
      try shard.checkUnchanged()
    }
    return try RandomAccessFile(reading: joined, as: shards[0].path)
  }

  func weights(
    of place: KerasWeightPlace, expected: [KerasWeight], opaqueType: ElementType?
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)] {
    let path = place.path.flatMap { $0.split(separator: "/", omittingEmptySubsequences: false) }
    guard let last = place.path.last else { return [] }
    let own = last.split(separator: "/", omittingEmptySubsequences: false)
    let isInside = place.isRecurrent || !place.parts.isEmpty
    let candidates = weights.filter { weight in
      place.parts.allSatisfy { $0.match == nil || $0.holds(weight.owners) }
    }
    // The layer's name, with or without the enclosing models; and, for a cell, any path inside the layer.
    let forms: [([Substring]) -> Bool] = [
      { $0 == own }, { $0 == path }, { isInside && $0.starts(with: own) && $0.count > own.count },
      { isInside && $0.starts(with: path) && $0.count > path.count },
    ]
    for form in forms {
      let found = candidates.filter { form($0.owners) }
      guard !found.isEmpty else { continue }
      guard Set(found.map(\.owners)).count == 1 else { throw .ambiguousWeights(last) }
      return found.map { ($0.name, $0.stored) }
    }
    return []
  }

  func arrays(below path: [String]) throws(NetconvError) -> [String] {
    let own = (path.last ?? "").split(separator: "/", omittingEmptySubsequences: false)
    return weights.filter { $0.owners.starts(with: own) }.map {
      ($0.owners.map(String.init) + [$0.name]).joined(separator: "/")
    }.sorted()
  }
}
