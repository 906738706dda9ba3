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

  /// A file with tensors in the order of their names, whose values count from 1.
  private static func safetensors(_ shapes: [String: [Int]]) throws -> [UInt8] {
    var header: [String: Any] = [:]
    var values: [Float] = []
    for (name, shape) in shapes.sorted(by: { $0.key < $1.key }) {
      let (start, count) = (values.count, shape.reduce(1, *))
      values += (start..<start + count).map { Float($0 + 1) }
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
    reversed: Bool = false
  ) throws -> [String: NumpyArray] {
    var request = ConvertRequest(
      source: folder.file(source), destination: folder.file(destination))
    request.weightsOnly = true
    request.rules.path = Fixtures.sample("rules/\(rules)")
    request.rules.isReversed = reversed
    _ = try Netconv.convert(request)
    return try arrays(folder.file(destination))
  }

  private func digest(_ arrays: [String: NumpyArray]) -> String {
    var digest = SHA256()
    for name in arrays.keys.sorted() { digest.update(littleEndian(arrays[name]?.values ?? [])) }
    return digest.hexadecimal
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
