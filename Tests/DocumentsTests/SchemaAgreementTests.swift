import Documents
import Foundation
import ModelIR
import TestSupport
import Testing

/// A document with one mistake is rejected by both its schema and the type that reads it, or by neither.
@Suite struct SchemaAgreementTests {
  /// A document and the function that reads it.
  struct Case: Sendable, CustomTestStringConvertible {
    let schema: String
    let name: String
    let document: @Sendable () throws -> [UInt8]
    /// Changes that only one of the two may reject, by the suffixes of their paths.
    var excepted: [String] = []
    let read: @Sendable ([UInt8]) throws -> Void

    var testDescription: String { "\(schema): \(name)" }

    /// A document of the repository.
    init(schema: String, path: String, read: @escaping @Sendable ([UInt8]) throws -> Void) {
      (self.schema, name, self.read) = (schema, path, read)
      document = {
        try Array(Data(contentsOf: URL(filePath: "\(Fixtures.repository)/\(path)")))
      }
      // The sizes of a rearrangement are by axis, whose letters only the schema knows.
      excepted = [".sizes.surplus added"]
    }

    /// A document with every key.
    init(
      schema: String, name: String, text: String, excepted: [String] = [],
      read: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
      (self.schema, self.name, self.excepted, self.read) = (schema, name, excepted, read)
      document = { Array(text.utf8) }
    }
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
    } + [
      Case(schema: "map", name: "all keys", text: map) {
        _ = try JSONDocument.decode(WeightsMap.self, from: $0)
      },
      Case(schema: "embed-options", name: "a target", text: targetOptions) {
        _ = try JSONDocument.decode(EmbedOptionsDocument.self, from: $0)
      },
      // A class is called only where there is one: what reads the options says so, not their type.
      Case(
        schema: "embed-options", name: "a language", text: languageOptions,
        excepted: [".language left out"]
      ) {
        _ = try JSONDocument.decode(EmbedOptionsDocument.self, from: $0)
      },
    ]

  private static let map = """
    {
      "format": "netconv-map", "version": 1,
      "tensors": [
        {
          "name": "fc/kernel", "shape": [2, 3], "dtype": "float32",
          "parts": [
            {
              "to": [{"axis": 0, "start": 0, "end": 1}], "of": "fc.weight", "shape": [3, 2],
              "from": [{"axis": 1, "start": 0, "end": 1}], "pattern": "o i -> i o",
              "sizes": {"o": 3}, "reversed": ["i"], "orders": {"o": [2, 0, 1]},
              "plus": "fc.offset", "rounded": "float16", "factor": 0.5,
              "normalization": {
                "gamma": "bn.weight", "variance": "bn.running_var", "epsilon": 0.001, "axis": 0,
                "mean": "bn.running_mean", "bias": "fc.bias"
              }
            },
            {"to": [{"axis": 0, "start": 1, "end": 2}]}
          ],
          "candidates": [{"of": "fc.weight"}]
        }
      ],
      "unrelated": ["fc/bias"], "unused": ["step"]
    }
    """

  private static let targetOptions = """
    {
      "$schema": "Schemas/embed-options.v1.schema.json", "target": "mlx",
      "dtype": ["float16", "fc=float32"], "fold": true, "replace": ["drop=Identity()"]
    }
    """

  private static let languageOptions = """
    {"language": "mpscnn", "dtype": "float16", "name": "LeNet", "replace": "drop=Identity()"}
    """

  /// A change of a document, with its path.
  private struct Change {
    let place: String
    let value: JSONValue
  }

  /// The value with each member removed in turn, and with an additional one in each object; of list elements only the
  /// first of each shape.
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

  /// The names of the members, and values that distinguish kinds of objects.
  private static func shape(of value: JSONValue) -> String {
    (value.members?.keys.sorted().joined(separator: " ") ?? "")
      + (value["operator"]?.string ?? "") + (value["role"]?.string ?? "")
  }

  private static func accepts(_ value: JSONValue, _ stored: Case) -> Bool {
    (try? stored.read(Array(value.description.utf8))) != nil
  }

  @Test(arguments: Sampling.part(of: cases, every: 3, from: 1, allIn: .slow))
  func `a key too few or too many is one to both`(stored: Case) throws {
    let document = try JSONDocument.parse(stored.document())
    let schema = try JSONSchema(named: stored.schema)
    #expect(try schema.accepts(document))
    #expect(Self.accepts(document, stored))
    let changes = Self.changes(of: document, at: "")
    #expect(changes.count > (stored.schema == "embed-options" ? 4 : 50))
    for change in changes where !stored.excepted.contains(where: change.place.hasSuffix) {
      let isValid = try schema.accepts(change.value)
      #expect(Self.accepts(change.value, stored) == isValid, "\(change.place): schema \(isValid)")
    }
  }
}
