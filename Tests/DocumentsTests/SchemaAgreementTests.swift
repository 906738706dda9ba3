import Documents
import Foundation
import ModelIR
import TestSupport
import Testing

/// A document with one mistake is refused by its schema and by the type that reads it, or by neither.
@Suite struct SchemaAgreementTests {
  /// A document, and what reads it.
  struct Case: Sendable, CustomTestStringConvertible {
    let schema: String
    let path: String
    let read: @Sendable ([UInt8]) throws -> Void

    var testDescription: String { "\(schema): \(path)" }
  }

  static let cases: [Case] =
    ["folder", "integers", "probe/model"].map { folder in
      Case(schema: "manifest", path: "Tests/Fixtures/outputs/\(folder)/manifest.json") {
        _ = try Manifest.decode($0)
      }
    } + [
      Case(schema: "goldens", path: "Tests/Fixtures/outputs/folder/goldens/goldens.json") {
        _ = try JSONDocument.decode(GoldensDocument.self, from: $0)
      }
    ]
    + ["Samples/lenet-blobs", "Samples/pytorch-resnet", "Tests/Fixtures/filters"].map { folder in
      // Values are beside the description or among other weights; the schema is of both.
      Case(schema: "model", path: "\(folder)/model.json") {
        _ = try GraphDocument(JSONDocument.parse($0))
      }
    }

  /// A change of a document, with its place.
  private struct Change {
    let place: String
    let value: JSONValue
  }

  /// The value with each member left out in turn, and with one too many in each object; of the elements of a list only
  /// the first of each shape.
  private static func changes(of value: JSONValue, at place: String) -> [Change] {
    switch value {
    case .object(let members):
      var changes: [Change] = []
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        var rest = members
        rest[name] = nil
        changes.append(Change(place: "\(place).\(name) left out", value: .object(rest)))
        changes += Self.changes(of: member, at: "\(place).\(name)").map { change in
          var changed = members
          changed[name] = change.value
          return Change(place: change.place, value: .object(changed))
        }
      }
      var more = members
      more["surplus"] = .number(1)
      return changes + [Change(place: "\(place).surplus added", value: .object(more))]
    case .array(let elements):
      var shapes: Set<String> = []
      return elements.indices.filter { shapes.insert(shape(of: elements[$0])).inserted }
        .flatMap { index in
          Self.changes(of: elements[index], at: "\(place)[\(index)]").map { change in
            var changed = elements
            changed[index] = change.value
            return Change(place: change.place, value: .array(changed))
          }
        }
    default: return []
    }
  }

  /// The names of the members, and what tells kinds of objects apart.
  private static func shape(of value: JSONValue) -> String {
    (value.members?.keys.sorted().joined(separator: " ") ?? "")
      + (value["operator"]?.string ?? "") + (value["role"]?.string ?? "")
  }

  private static func accepts(_ value: JSONValue, _ stored: Case) -> Bool {
    (try? stored.read(Array(value.description.utf8))) != nil
  }

  @Test(arguments: cases)
  func `a key too few or too many is one to both`(stored: Case) throws {
    let path = "\(Fixtures.repository)/\(stored.path)"
    let document = try JSONDocument.parse(Array(Data(contentsOf: URL(filePath: path))))
    let schema = try JSONSchema(named: stored.schema)
    #expect(try schema.accepts(document))
    #expect(Self.accepts(document, stored))
    let changes = Self.changes(of: document, at: "")
    #expect(changes.count > 50)
    // The sizes of a rearrangement are by axis, whose letters only the schema knows.
    for change in changes where !change.place.hasSuffix(".sizes.surplus added") {
      let isValid = try schema.accepts(change.value)
      #expect(Self.accepts(change.value, stored) == isValid, "\(change.place): schema \(isValid)")
    }
  }
}
