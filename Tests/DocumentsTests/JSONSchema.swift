import Documents
import Foundation
import TestSupport

/// A schema of the folder `Schemas`, which validates values.
///
/// It supports the subset of JSON Schema 2020-12 that these schemas use. An unsupported keyword is an error, so that it
/// is not ignored. `make interop` validates the same documents with the jsonschema package.
struct JSONSchema {
  private let resources: [String: JSONValue]
  private let identifier: String

  /// Reads `Schemas/NAME.v1.schema.json`.
  init(named name: String) throws {
    let path = "\(Fixtures.repository)/Schemas/\(name).v1.schema.json"
    let schema = try JSONDocument.parse(Array(Data(contentsOf: URL(filePath: path))))
    identifier = schema["$id"]?.string ?? ""
    var resources = [identifier: schema]
    for (_, copy) in schema["$defs"]?.members ?? [:] {
      if let own = copy["$id"]?.string { resources[own] = copy }
    }
    self.resources = resources
  }

  /// A keyword or a reference that is not known here.
  struct Unknown: Error {
    let what: String
  }

  /// Returns true if `value` conforms to the schema.
  ///
  /// - Throws: ``Unknown``.
  func accepts(_ value: JSONValue) throws -> Bool {
    try accepts(value, .object(["$ref": .string("#")]), in: identifier)
  }

  private func accepts(
    _ value: JSONValue, _ schema: JSONValue, in resource: String
  ) throws -> Bool {
    if let isAllowed = schema.bool { return isAllowed }
    guard let keywords = schema.members else { throw Unknown(what: "\(schema)") }
    let resource = keywords["$id"]?.string ?? resource
    return try keywords.allSatisfy { keyword, operand in
      try isMet(keyword, operand, by: value, keywords, in: resource)
    }
  }

  /// Annotations, and keywords that others evaluate.
  private static let silent: Set = [
    "$schema", "$id", "$defs", "$comment", "title", "description", "default", "then", "else",
    "minContains", "maxContains",
  ]

  private func isMet(
    _ keyword: String, _ operand: JSONValue, by value: JSONValue, _ keywords: [String: JSONValue],
    in resource: String
  ) throws -> Bool {
    let matches = { (schema: JSONValue, value: JSONValue) in
      try accepts(value, schema, in: resource)
    }
    switch keyword {
    case _ where Self.silent.contains(keyword): return true
    case "$ref":
      let (schema, owner) = try resolve(operand.string ?? "", in: resource)
      return try accepts(value, schema, in: owner)
    case "type":
      return (operand.array ?? [operand]).contains { value.isOfType($0.string ?? "") }
    case "const": return value == operand
    case "enum": return operand.array?.contains(value) ?? false
    case "allOf": return try operand.array?.allSatisfy { try matches($0, value) } ?? false
    case "anyOf": return try operand.array?.contains { try matches($0, value) } ?? false
    case "oneOf":
      return try operand.array?.filter { try matches($0, value) }.count == 1
    case "not": return try !matches(operand, value)
    case "if":
      let branch = try matches(operand, value) ? "then" : "else"
      return try keywords[branch].map { try matches($0, value) } ?? true
    default: break
    }
    switch value {
    case .number(let number): return try isMet(keyword, operand, byNumber: number)
    case .string(let text): return try isMet(keyword, operand, byText: text)
    case .array(let elements):
      return try isMet(keyword, operand, byElements: elements, keywords, matches)
    case .object(let members):
      return try isMet(keyword, operand, byMembers: members, keywords, matches)
    default:
      guard Self.known.contains(keyword) else { throw Unknown(what: keyword) }
      return true
    }
  }

  /// Keywords that apply to values of one type only.
  private static let known: Set = [
    "minimum", "maximum", "multipleOf", "minLength", "pattern", "items", "prefixItems", "minItems",
    "maxItems", "uniqueItems", "contains", "properties", "required", "additionalProperties",
    "propertyNames", "minProperties", "dependentRequired", "dependentSchemas",
  ]

  private func isMet(
    _ keyword: String, _ operand: JSONValue, byNumber number: Double
  ) throws -> Bool {
    let bound = operand.double ?? .nan
    switch keyword {
    case "minimum": return number >= bound
    case "maximum": return number <= bound
    case "multipleOf": return (number / bound).rounded() == number / bound
    default:
      guard Self.known.contains(keyword) else { throw Unknown(what: keyword) }
      return true
    }
  }

  private func isMet(_ keyword: String, _ operand: JSONValue, byText text: String) throws -> Bool {
    switch keyword {
    case "minLength": return text.unicodeScalars.count >= operand.int ?? 0
    case "pattern": return try text.contains(Regex(operand.string ?? ""))
    default:
      guard Self.known.contains(keyword) else { throw Unknown(what: keyword) }
      return true
    }
  }

  private func isMet(
    _ keyword: String, _ operand: JSONValue, byElements elements: [JSONValue],
    _ keywords: [String: JSONValue], _ matches: (JSONValue, JSONValue) throws -> Bool
  ) throws -> Bool {
    switch keyword {
    case "minItems": return elements.count >= operand.int ?? 0
    case "maxItems": return elements.count <= operand.int ?? 0
    case "uniqueItems":
      return elements.indices.allSatisfy { !elements[..<$0].contains(elements[$0]) }
    case "prefixItems":
      return try zip(operand.array ?? [], elements).allSatisfy { try matches($0, $1) }
    case "items":
      let first = keywords["prefixItems"]?.array?.count ?? 0
      return try elements.dropFirst(first).allSatisfy { try matches(operand, $0) }
    case "contains":
      let count = try elements.filter { try matches(operand, $0) }.count
      return count >= keywords["minContains"]?.int ?? 1
        && count <= keywords["maxContains"]?.int ?? .max
    default:
      guard Self.known.contains(keyword) else { throw Unknown(what: keyword) }
      return true
    }
  }

  private func isMet(
    _ keyword: String, _ operand: JSONValue, byMembers members: [String: JSONValue],
    _ keywords: [String: JSONValue], _ matches: (JSONValue, JSONValue) throws -> Bool
  ) throws -> Bool {
    switch keyword {
    case "minProperties": return members.count >= operand.int ?? 0
    case "required":
      return operand.array?.allSatisfy { members[$0.string ?? ""] != nil } ?? false
    case "propertyNames":
      return try members.keys.allSatisfy { try matches(operand, .string($0)) }
    case "properties":
      return try operand.members?.allSatisfy { name, schema in
        try members[name].map { try matches(schema, $0) } ?? true
      } ?? false
    case "additionalProperties":
      let own = keywords["properties"]?.members ?? [:]
      return try members.allSatisfy { name, value in
        try own[name] != nil || matches(operand, value)
      }
    case "dependentRequired":
      return operand.members?.allSatisfy { name, others in
        members[name] == nil
          || others.array?.allSatisfy { members[$0.string ?? ""] != nil } ?? false
      } ?? false
    case "dependentSchemas":
      return try operand.members?.allSatisfy { name, schema in
        try members[name] == nil || matches(schema, .object(members))
      } ?? false
    default:
      guard Self.known.contains(keyword) else { throw Unknown(what: keyword) }
      return true
    }
  }

  /// The schema that a reference names, and the resource that contains it.
  private func resolve(
    _ reference: String, in resource: String
  ) throws -> (schema: JSONValue, resource: String) {
    let parts = reference.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
    let owner = parts[0].isEmpty ? resource : parts[0]
    guard var found = resources[owner] else { throw Unknown(what: reference) }
    for step in parts.dropFirst().joined().split(separator: "/") {
      guard let next = found[String(step)] else { throw Unknown(what: reference) }
      found = next
    }
    return (found, owner)
  }
}

extension JSONValue {
  /// The members, if this is an object.
  var members: [String: JSONValue]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  fileprivate func isOfType(_ type: String) -> Bool {
    switch self {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .number(let number): type == "number" || type == "integer" && number.rounded() == number
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }
}
