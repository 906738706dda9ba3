import Datasets
import Digests
import Foundation
import NetconvKit
import TestSupport
import Testing

/// The rules of Samples/rules, on the names and shapes of real networks.
///
/// `Tools/families/families.py --fixtures` wrote the fixtures: the libraries' own code has moved values that count from 1,
/// and a digest of the result is the oracle.
@Suite("rules for families of networks")
struct FamilyRulesTests {
  /// A network: its tensors, what its rules ask of its configuration, and the port.
  struct Family: Decodable {
    let source: [String: [Int]]
    let port: [String: [Int]]
    /// The tensors that the rules leave out.
    let dropped: [String]
    let sha256: String
  }

  static let names: [String] = files(in: Fixtures.sample("rules"))

  private static func files(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  /// A folder with the configuration of a family beside `source.safetensors`.
  private func folder(of name: String) throws -> (TemporaryFolder, Family) {
    let folder = try TemporaryFolder()
    let data = try Data(contentsOf: URL(filePath: Fixtures.path("families/\(name)")))
    let family = try JSONDecoder().decode(Family.self, from: data)
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let config = try JSONSerialization.data(withJSONObject: document["config"] ?? [:])
    try folder.write(config, to: "config.json")
    try folder.write(Self.safetensors(family.source), to: "source.safetensors")
    return (folder, family)
  }

  /// A file with tensors in the order of their names.
  ///
  /// - Parameter value: The value at an index among those of all tensors; by default they count from 1.
  private static func safetensors(
    _ shapes: [String: [Int]], value: (Int) -> Float = { Float($0 + 1) }
  ) throws -> [UInt8] {
    var header: [String: Any] = [:]
    var values: [Float] = []
    for (name, shape) in shapes.sorted(by: { $0.key < $1.key }) {
      let (start, count) = (values.count, shape.reduce(1, *))
      values += (start..<start + count).map(value)
      header[name] = [
        "dtype": "F32", "shape": shape, "data_offsets": [4 * start, 4 * values.count],
      ]
    }
    let text = [UInt8](try JSONSerialization.data(withJSONObject: header))
    let length = withUnsafeBytes(of: UInt64(text.count).littleEndian) { Array($0) }
    return length + text + littleEndian(values)
  }

  private func convert(
    _ folder: TemporaryFolder, from source: String, to destination: String, by rules: String,
    at path: String? = nil, reversed: Bool = false
  ) throws -> [String: NumpyArray] {
    var request = ConvertRequest(
      source: folder.file(source), destination: folder.file(destination))
    request.weightsOnly = true
    request.rules.path = path ?? Fixtures.sample("rules/\(rules)")
    request.rules.isReversed = reversed
    _ = try Netconv.convert(request)
    return try arrays(folder.file(destination))
  }

  private func digest(_ arrays: [String: NumpyArray]) -> String {
    SHA256.hash(of: arrays.keys.sorted().flatMap { littleEndian(arrays[$0]?.values ?? []) })
      .map { String(format: "%02x", $0) }.joined()
  }

  @Test("make the port of the library, and the source again", arguments: names)
  func both(name: String) throws {
    let (folder, family) = try folder(of: name)
    let port = try convert(folder, from: "source.safetensors", to: "port.npz", by: name)
    #expect(port.mapValues(\.shape) == family.port)
    #expect(digest(port) == family.sha256)
    let back = try convert(folder, from: "port.npz", to: "back.npz", by: name, reversed: true)
    var next: Float = 1
    for (tensor, shape) in family.source.sorted(by: { $0.key < $1.key }) {
      let count = shape.reduce(1, *)
      defer { next += Float(count) }
      guard !family.dropped.contains(tensor) else { continue }
      let array = try #require(back[tensor], "\(tensor)")
      #expect(array.shape == shape && array.values == (0..<count).map { next + Float($0) })
    }
    #expect(back.count == family.source.count - family.dropped.count)
  }

  /// Multiples of 1/1024, to which 1 is added without rounding; the same for the same seed.
  private static func noise(_ seed: UInt64) -> (Int) -> Float {
    { index in
      var bits = (UInt64(index) &+ seed &* 0x1_0000_0000) &* 0x9e37_79b9_7f4a_7c15
      bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
      return Float(Int(bits >> 44) - 1 << 19) / 1024
    }
  }

  @Test("are found by relate, and make the port of other weights", arguments: names)
  func found(name: String) throws {
    let (folder, family) = try folder(of: name)
    for seed: UInt64 in [1, 2] {
      try folder.write(
        Self.safetensors(family.source, value: Self.noise(seed)), to: "\(seed).safetensors")
      _ = try convert(folder, from: "\(seed).safetensors", to: "port\(seed).npz", by: name)
    }
    var request = RelateRequest(
      first: folder.file("1.safetensors"), second: folder.file("port1.npz"))
    request.rules = folder.file("found.json")
    let rules = try #require(try Netconv.relate(request).rules)
    #expect(rules.unsaid.isEmpty, "\(rules.unsaid)")
    #expect(rules.leftOut.sorted() == family.dropped)
    let expected = try arrays(folder.file("port2.npz"))
    let found = try convert(
      folder, from: "2.safetensors", to: "found.npz", by: "", at: folder.file("found.json"))
    #expect(Set(found.keys) == Set(expected.keys))
    for (tensor, array) in expected {
      let isSame = found[tensor]?.shape == array.shape && found[tensor]?.values == array.values
      #expect(isSame, "\(tensor)")
    }
  }

  @Test("say what they need", arguments: names)
  func needs(name: String) throws {
    let (folder, _) = try folder(of: name)
    let path = Fixtures.sample("rules/\(name)")
    let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    if text.contains("sizes") || text.contains("parts") {
      try folder.write("{}", to: "config.json")
      #expect(
        throwing(folder, name).contains("config.json' has no positive integer called"))
    }
    try folder.write(Self.safetensors(["other": [2]]), to: "source.safetensors")
    let error = throwing(folder, name)
    #expect(error.contains("matches no tensor") && error.contains("rule "), "\(error)")
  }

  private func throwing(_ folder: TemporaryFolder, _ name: String) -> String {
    do {
      _ = try convert(folder, from: "source.safetensors", to: "port.npz", by: name)
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  @Test("have a network each")
  func listed() {
    #expect(Self.names == Self.files(in: Fixtures.path("families")))
    #expect(Self.names.count >= 8)
  }
}
