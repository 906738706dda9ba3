import Datasets
import Digests
import Documents
import Files
import ModelIR
import Processor

/// What a verification has found of one of several parts of the samples: `Schemas/verify-shard.v1.schema.json`.
///
/// It is no verdict; ``Netconv/merge(_:)`` makes a report of all of them.
public struct VerifyShard: Report {
  /// The name of its schema.
  public static let schema = "verify-shard"

  static let format = "netconv-verify-shard"
  /// The most bytes that one may have.
  static let sizeLimit = 256 << 20

  let format: String
  let version: Int
  /// What was run on what.
  let run: ShardedRun
  /// Which part this is.
  public let shard: Shard
  /// The first of the samples, and the one behind the last.
  public let samples: [Int]
  /// What was found.
  let found: VerifyParts

  init(_ run: ShardedRun, _ shard: Shard, _ found: VerifyParts) {
    (format, version) = (Self.format, 1)
    (self.run, self.shard, self.found) = (run, shard, found)
    let range = shard.range(of: run.count)
    samples = [range.lowerBound, range.upperBound]
  }
}

extension VerifyShard: Codable {
  /// Reads the shard at `path`.
  ///
  /// - Throws: `cannotOpen` or `badData`, naming the file.
  init(path: String) throws(NetconvError) {
    let bytes = try RandomAccessFile(path: path).contents(limit: Self.sizeLimit)
    do throws(NetconvError) {
      guard !bytes.isEmpty else { throw .emptyShard }
      let document = try JSONDocument.parse(bytes)
      guard document["format"]?.string == Self.format, document["version"]?.int == 1 else {
        throw .notAShard
      }
      self = try JSONDocument.decode(VerifyShard.self, from: bytes)
      try check()
    } catch {
      throw error.inFile(path)
    }
  }

  /// Checks that its numbers fit each other.
  private func check() throws(NetconvError) {
    guard Shard(shard.index, of: shard.count) == shard, (1...1 << 40).contains(run.count) else {
      throw .damagedShard
    }
    let range = shard.range(of: run.count)
    guard samples == [range.lowerBound, range.upperBound],
      found.isValid(for: range.count, like: found),
      (found.comparison != nil) == (run.against != nil && shard.index == 1)
    else { throw .damagedShard }
  }
}

/// What was run on what: the same for all shards of a run.
struct ShardedRun: Sendable, Codable, Equatable {
  /// The version of netconv.
  let netconv: String
  /// The vector instructions, on which the last bits of sums depend; none of the engine that computes in Double.
  let instructions: String?
  /// The hash of the network and its weights.
  let model: String
  /// That of the network compared with.
  let against: String?
  /// The hash of the samples and their targets.
  let data: String
  /// How many samples all shards have together.
  let count: Int
  /// What was asked for.
  let settings: [String: String]

  init(
    _ model: Model, against: Model?, _ data: LabeledImages, _ request: VerifyRequest
  ) throws(NetconvError) {
    netconv = Netconv.version
    instructions = request.engine == .fast ? try CPULevel.chosen().name : nil
    self.model = try Netconv.contentHash(of: model)
    self.against = try against.map { model throws(NetconvError) in
      try Netconv.contentHash(of: model)
    }
    self.data = try data.hash(below: request.data.paths?.images)
    count = request.count(of: data)
    settings = request.settings
  }

  /// What differs from another run, for people: what it is of each; `nil` if they are the same.
  func difference(from other: ShardedRun) -> (name: String, found: String, expected: String)? {
    let pairs: [(String, String?, String?)] = [
      ("version of netconv", netconv, other.netconv), ("model", model, other.model),
      ("model compared with", against, other.against), ("data", data, other.data),
    ]
    let ofSettings = Set(settings.keys).union(other.settings.keys).sorted().map {
      ($0, settings[$0], other.settings[$0])
    }
    // An engine without instructions of its own is one that was asked for.
    let all = pairs + ofSettings + [("instruction set", instructions, other.instructions)]
    if let (name, found, expected) = all.first(where: { $0.1 != $0.2 }) {
      return (name, found ?? "none", expected ?? "none")
    }
    return count == other.count ? nil : ("number of samples", "\(count)", "\(other.count)")
  }
}

extension VerifyRequest {
  /// What was asked for besides files, by name, as far as the report depends on it.
  fileprivate var settings: [String: String] {
    var settings = ["engine": engine.rawValue, "precision": precision.rawValue]
    let numbers: [(String, Double?)] = [
      ("scale", scale), ("offset", offset), ("largest error", maximumError),
      ("least r2", minimumR2), ("least accuracy", minimumAccuracy), ("tolerance", tolerance),
      ("least agreement", minimumAgreement), ("threshold", threshold),
    ]
    for (name, number) in numbers { settings[name] = number.map { "\($0)" } }
    settings["limit"] = limit.map { "\($0)" }
    settings["metric"] = (metric ?? .accuracy).rawValue
    settings["filters"] = filters.isEmpty ? nil : filters.joined(separator: " ")
    settings["sweep"] = sweep
    settings["output"] = output
    settings["values that are not finite"] = allowsNotFinite ? "allowed" : nil
    if reference != nil { settings["samples compared"] = "\(samples)" }
    return settings
  }
}

extension LabeledImages {
  /// What tells samples and their targets from others: of pictures, names below `folder`, sizes of files and classes.
  fileprivate func hash(below folder: String?) throws(NetconvError) -> String {
    var hash = SHA256()
    let add = { (text: String, hash: inout SHA256) in
      Array((text + "\n").utf8).withUnsafeBytes { hash.update($0) }
    }
    add("\(elementType.rawValue) \(imageShape) \(targets.count) \(targets.shape)", &hash)
    targets.values.withUnsafeBytes { hash.update($0) }
    switch pixels {
    case .array(let array):
      try array.forEachPiece { _, values in hash.update(UnsafeRawBufferPointer(values)) }
    case .pictures(let entries):
      for entry in entries {
        let state = try FileState(of: entry.name)
        let name = folder.flatMap { folder in
          let parents = [folder, Directory.parent(of: folder)].map { $0 + "/" }
          return parents.first { entry.name.hasPrefix($0) }
            .map { String(entry.name.dropFirst($0.count)) }
        }
        add("\(name ?? entry.name) \(state.size)", &hash)
      }
    }
    return hexadecimal(hash.finalize())
  }
}
