import ModelIR

extension NetconvError {
  static let wrongShardIndex = NetconvError(
    .badData, "'weight_map' is no object that gives each tensor the name of a file")

  static func tooManyShards(_ count: Int, limit: Int) -> NetconvError {
    NetconvError(.badData, "names \(count) files, expected at most \(limit)")
  }

  static let missingShardFile = NetconvError(
    .cannotOpen, "is missing, and the index names it; copy all files of the network to one folder")

  static let wrongShard = NetconvError(
    .badData, "is neither safetensors nor PyTorch's, and the index names it")

  static func missingInShards(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      names.count == 1
        ? "1 tensor of the index is not in the file that it names"
        : "\(names.count) tensors of the index are not in the files that it names",
      details: [SourceNote.list(names)])
  }
}

extension SourceNote {
  /// A note on a file whose name is that of a single shard; `nil` for other names.
  static func oneShard(_ path: String) -> SourceNote? {
    // `NAME-00001-of-00002.safetensors`, counted from 1.
    let parts = path.splitAtLast(".").scope.split(separator: "-").suffix(3)
    guard parts.count == 3, parts.dropFirst().first == "of",
      let first = parts.first, first.count >= 5, let number = Int(first),
      let last = parts.last, last.count >= 5, let count = Int(last), 1...max(1, count) ~= number,
      count > 1
    else { return nil }
    return SourceNote(
      text:
        "the file is one of \(count) by its name; the network's other weights are in the others, and the "
        + "file that ends in .index.json has them all",
      details: [], isWarning: true)
  }
}
