import Foundation
import TestSupport
import Testing

/// Each schema can be used alone: a user of the file needs no other, and no registry of identifiers.
@Suite("Schemas")
struct SchemaTests {
  private static let folder = Fixtures.repository + "/Schemas"

  static let names: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".schema.json") }.sorted()
  }()

  private func schema(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(filePath: "\(Self.folder)/\(name)"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// Every member called `key` in `value`, with the identifier of its schema.
  private func members(
    _ key: String, in value: Any, of identifier: String
  ) -> [(identifier: String, text: String)] {
    if let list = value as? [Any] { return list.flatMap { members(key, in: $0, of: identifier) } }
    guard let object = value as? [String: Any] else { return [] }
    let own = object["$id"] as? String ?? identifier
    return object.flatMap { name, member in
      name == key
        ? (member as? String).map { [(own, $0)] } ?? [] : members(key, in: member, of: own)
    }
  }

  /// The schemas in a file by their identifiers: its own, and the copies in its definitions.
  private func resources(_ schema: [String: Any]) throws -> [String: [String: Any]] {
    var resources = [try #require(schema["$id"] as? String): schema]
    for copy in (schema["$defs"] as? [String: [String: Any]] ?? [:]).values {
      if let identifier = copy["$id"] as? String { resources[identifier] = copy }
    }
    return resources
  }

  @Test("whatever a schema refers to is in its own file", arguments: names)
  func references(name: String) throws {
    let schema = try schema(name)
    let resources = try resources(schema)
    let own = try #require(schema["$id"] as? String)
    for (identifier, reference) in members("$ref", in: schema, of: own) {
      let parts = reference.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
      var found: Any? = resources[parts[0].isEmpty ? identifier : parts[0]]
      for step in parts.dropFirst().joined().split(separator: "/") {
        found = (found as? [String: Any])?[String(step)]
      }
      #expect(found != nil, "\(name): \(reference) is not in the file; run make schemas")
    }
  }

  @Test("a copy of a schema is the schema", arguments: names)
  func copies(name: String) throws {
    let schema = try schema(name)
    let sources = try Dictionary(
      uniqueKeysWithValues: Self.names.map { name in
        let source = try self.schema(name)
        return (try #require(source["$id"] as? String), source)
      })
    for (identifier, copy) in try resources(schema) where identifier != schema["$id"] as? String {
      let source = try #require(sources[identifier], "\(name) holds a copy of \(identifier)")
      #expect(
        (copy as NSDictionary) == (source as NSDictionary),
        "\(name): its copy of \(identifier) is not the schema; run make schemas")
    }
  }

  @Test("a copy of a definition is the definition", arguments: names)
  func definitions(name: String) throws {
    for (key, definition) in try schema(name)["$defs"] as? [String: [String: Any]] ?? [:] {
      guard let comment = definition["$comment"] as? String,
        let place = try? /copy of (?<file>.+)#\/\$defs\/(?<name>.+)/.wholeMatch(in: comment)
      else { continue }
      let source = try #require(
        try schema(String(place.file))["$defs"] as? [String: [String: Any]])[String(place.name)]
      var copy = definition
      copy["$comment"] = nil
      #expect(
        (copy as NSDictionary) == (source as NSDictionary?),
        "\(name): \(key) is no longer what it is a \(comment); run make schemas")
    }
  }

  @Test("the manifest holds the model's schema, and there are schemas to look at")
  func manifest() throws {
    #expect(Self.names.count >= 13)
    let identifiers = try resources(schema("manifest.v1.schema.json")).keys.sorted()
    #expect(identifiers == ["urn:netconv:schema:manifest:v1", "urn:netconv:schema:model:v1"])
  }
}
