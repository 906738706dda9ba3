import Datasets
import Digests
import Documents
import Files
import ModelIR
import Processor

/// The results of a verification for one shard of the samples: `Schemas/verify-shard.v1.schema.json`.
///
/// It has no verdict; ``Netconv/merge(_:)`` makes a report of all shards.
public struct VerifyShard: Report {
  /// The name of the report's schema.
  public static let schema = "verify-shard"

  static let format = "netconv-verify-shard"
  /// The maximum size of a file in bytes.
  static let sizeLimit = 256 << 20

  let format: String
  let version: Int
  /// The run that the shard belongs to.
  let run: ShardedRun
  /// The shard that was run.
  public let shard: Shard
  /// The index of the first sample, and the index after the last.
  public let samples: [Int]
  /// The results for the samples.
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

  /// Checks that the numbers are consistent.
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

/// The model, data and settings of a run, which all of its shards share.
struct ShardedRun: Sendable, Codable, Equatable {
  /// The version of netconv.
  let netconv: String
  /// The level of vector instructions, which affects the last bits of sums; `nil` for the reference engine, which
  /// computes in Double.
  let instructions: String?
  /// The hash of the network and its weights.
  let model: String
  /// The hash of the reference model.
  let against: String?
  /// The hash of the samples and their targets.
  let data: String
  /// The number of samples in all shards together.
  let count: Int
  /// The settings of the request.
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

  /// Returns the first difference from another run, as a name and both values in human-readable form; `nil` if the
  /// runs are equal.
  func difference(from other: ShardedRun) -> (name: String, found: String, expected: String)? {
    let pairs: [(String, String?, String?)] = [
      ("version of netconv", netconv, other.netconv), ("model", model, other.model),
      ("model compared with", against, other.against), ("data", data, other.data),
    ]
    let ofSettings = Set(settings.keys).union(other.settings.keys).sorted().map {
      ($0, settings[$0], other.settings[$0])
    }
    // Instructions are compared last, since they also differ if the engine does.
    let all = pairs + ofSettings + [("instruction set", instructions, other.instructions)]
    if let (name, found, expected) = all.first(where: { $0.1 != $0.2 }) {
      return (name, found ?? "none", expected ?? "none")
    }
    return count == other.count ? nil : ("number of samples", "\(count)", "\(other.count)")
  }
}

extension VerifyRequest {
  /// The settings of the request other than files, by name, as far as the report depends on them.
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
  /// Returns a hash that identifies samples and their targets; for pictures, of names below `folder`, file sizes and
  /// classes.
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
