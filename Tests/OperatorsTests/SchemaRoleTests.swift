import Foundation
import ModelIR
import Operators
import Testing

/// The roles that the schema of models has for each operator.
@Suite struct SchemaRoleTests {
  /// The roles by the name of the operator; `nil` if the schema accepts all roles.
  private static func roles() throws -> [String: [String]] {
    let repository = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = repository.appending(path: "Schemas/model.v1.schema.json")
    let schema = try JSONDecoder().decode(Schema.self, from: Data(contentsOf: file))
    var roles: [String: [String]] = [:]
    for condition in schema.definitions.layer.allOf {
      guard let name = condition.if.properties?.operator?.const else { continue }
      roles[name] = condition.then?.properties?.parameters?.items?.properties?.role?.enum
    }
    return roles
  }

  @Test func `the schema takes each parameter of each operator`() throws {
    let known = try Self.roles()
    var checked: Set<String> = []
    for sample in OperatorRegistryTests.samples {
      guard let roles = known[type(of: sample).name] else { continue }
      let shapes = [[6], [9, 6], [9, 8, 6], [2, 9, 8, 6]].map { Shape($0) }
      guard let specs = shapes.lazy.compactMap({ try? sample.parameters(for: [$0]) }).first
      else { continue }
      for spec in specs {
        #expect(roles.contains(spec.role.rawValue), "\(type(of: sample).name): \(spec.role)")
      }
      checked.insert(type(of: sample).name)
    }
    #expect(checked.isSuperset(of: ["BatchNormalization", "GRU", "LSTM", "SimpleRNN"]))
  }

  /// The part of the schema that states the roles.
  private struct Schema: Decodable {
    struct Definitions: Decodable { let layer: Layer }
    struct Layer: Decodable { let allOf: [Condition] }
    struct Condition: Decodable {
      let `if`: Case
      let then: Consequence?
    }
    struct Case: Decodable { let properties: Named? }
    struct Named: Decodable { let `operator`: Text? }
    struct Text: Decodable { let const: String? }
    struct Consequence: Decodable { let properties: Parameters? }
    struct Parameters: Decodable { let parameters: List? }
    struct List: Decodable { let items: Item? }
    struct Item: Decodable { let properties: Roles? }
    struct Roles: Decodable { let role: Role? }
    struct Role: Decodable { let `enum`: [String]? }

    let definitions: Definitions

    enum CodingKeys: String, CodingKey { case definitions = "$defs" }
  }
}
