import ModelIR

extension Netconv {
  /// Merges the results of all shards of a verification into the report of a single run, except for times.
  ///
  /// - Parameter paths: the reports of `verify` for the shards, in any order.
  /// - Throws: `cannotOpen`, or `badData` naming a file that is not a shard or belongs to another run, and shards
  ///   that are missing or duplicated.
  public static func merge(_ paths: [String]) throws(NetconvError) -> VerifyReport {
    var shards: [(path: String, shard: VerifyShard)] = []
    for path in paths { shards.append((path, try VerifyShard(path: path))) }
    guard let first = shards.first else { throw .noShards }
    for (path, shard) in shards.dropFirst() {
      do throws(NetconvError) {
        try shard.check(against: first.shard, of: first.path)
      } catch {
        throw error.inFile(path)
      }
    }
    shards.sort { $0.shard.shard.index < $1.shard.shard.index }
    for (one, other) in zip(shards, shards.dropFirst())
    where one.shard.shard == other.shard.shard {
      throw NetconvError.repeatedShard(one.shard.shard, one.path).inFile(other.path)
    }
    let count = first.shard.shard.count
    guard shards.count == count else {
      let there = Set(shards.map(\.shard.shard.index))
      let missing = (1...count).lazy.filter { !there.contains($0) }
      throw NetconvError.missingShards(Array(missing.prefix(10)), count - shards.count, of: count)
        .inFile(first.path)
    }
    var found = shards[0].shard.found
    for (_, shard) in shards.dropFirst() { found.add(shard.found) }
    return VerifyReport(found)
  }
}

extension VerifyShard {
  /// Checks that this is a shard of the same run as another.
  fileprivate func check(against other: VerifyShard, of path: String) throws(NetconvError) {
    guard shard.count == other.shard.count else {
      throw .otherShardCount(shard, other.shard, path)
    }
    if let (name, found, expected) = run.difference(from: other.run) {
      throw .foreignShard(name, found, expected, path)
    }
    let range = shard.range(of: run.count)
    guard found.isValid(for: range.count, like: other.found) else { throw .damagedShard }
  }
}

extension NetconvError {
  static var noShards: NetconvError { NetconvError(.usage, "there are no reports to merge") }

  static var emptyShard: NetconvError {
    NetconvError(
      .badData, "is empty; its run has not ended, so run that shard again")
  }

  static var notAShard: NetconvError {
    NetconvError(
      .badData,
      "is not the report of a shard; a report of the whole run, or of another verb, cannot be merged"
    )
  }

  static var damagedShard: NetconvError {
    NetconvError(.badData, "its numbers are inconsistent; run that shard again")
  }

  static func otherShardCount(_ found: Shard, _ expected: Shard, _ path: String) -> NetconvError {
    NetconvError(
      .badData,
      "is shard \(found.index) of \(found.count), but \(escaped(path)) is one of \(expected.count)")
  }

  static func foreignShard(
    _ name: String, _ found: String, _ expected: String, _ path: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "belongs to a different run than \(escaped(path)): \(name) \(shortened(found)) here, "
        + "\(shortened(expected)) there")
  }

  static func repeatedShard(_ shard: Shard, _ path: String) -> NetconvError {
    NetconvError(
      .badData,
      "is shard \(shard.index) of \(shard.count), and so is \(escaped(path)); leave one out")
  }

  static func missingShards(_ missing: [Int], _ all: Int, of count: Int) -> NetconvError {
    let numbers =
      missing.map(String.init).joined(separator: ", ") + (all > missing.count ? ", …" : "")
    return NetconvError(
      .badData,
      "belongs to a run of \(count) shards, and \(all == 1 ? "one is" : "these are") missing: \(numbers)"
    )
  }

  static func statefulShard(_ layer: String) -> NetconvError {
    NetconvError(
      .usage,
      "layer \(quoted(layer)) is stateful: its output for a sample depends on earlier samples, so they cannot "
        + "be run in parts")
  }

  static var nothingToShare: NetconvError {
    NetconvError(
      .usage,
      text:
        "is compared on random inputs, which cannot be run in parts; name samples with \(.ownData)")
  }

  /// Returns the first digits of a hash; other texts unchanged.
  private static func shortened(_ text: String) -> String {
    text.utf8.count == 64 ? "\(text.prefix(12))…" : escaped(text)
  }
}
