import ModelIR
import ONNXExport

/// A node of the graph with the values that it reads.
struct MILNode {
  /// The operation of the graph.
  let node: ONNXNode
  /// The inputs; `nil` for an omitted one.
  let inputs: [MILValue?]

  /// The operation.
  var type: String { node.type }

  /// Returns a required input.
  func input(_ index: Int) throws(NetconvError) -> MILValue {
    guard let value = optional(index) else { throw .missingInputForCoreML(type, index) }
    return value
  }

  /// Returns an input, unless it is omitted.
  func optional(_ index: Int) -> MILValue? {
    inputs.indices.contains(index) ? inputs[index] : nil
  }

  /// Returns the integers of an input that is known.
  func ints(_ index: Int) throws(NetconvError) -> [Int] {
    guard let values = try input(index).ints else { throw .openSizeForCoreML }
    return values
  }

  func int(_ name: String, _ fallback: Int) -> Int {
    if case .int(let value)? = value(name) { value } else { fallback }
  }

  func ints(_ name: String) -> [Int]? {
    if case .ints(let values)? = value(name) { values } else { nil }
  }

  func float(_ name: String, _ fallback: Float) -> Float {
    if case .float(let value)? = value(name) { value } else { fallback }
  }

  func floats(_ name: String) -> [Float] {
    if case .floats(let values)? = value(name) { values } else { [] }
  }

  func string(_ name: String) -> String? {
    if case .string(let text)? = value(name) { text } else { nil }
  }

  func strings(_ name: String) -> [String] {
    if case .strings(let texts)? = value(name) { texts } else { [] }
  }

  private func value(_ name: String) -> ONNXAttribute.Value? {
    node.attributes.first { $0.name == name }?.value
  }
}

/// Operations of a graph that are written as those of Core ML; one file for each kind in `Operations`.
protocol MILTranslation: Sendable {
  /// The operations of Core ML, in Markdown, for each operation of the graph.
  static var operations: [String: String] { get }

  /// Adds the operations for a node.
  ///
  /// - Returns: the outputs of the node, in order.
  /// - Throws: `badData` if Core ML does not support its attributes.
  static func write(
    _ node: MILNode, to program: inout MILBuilder
  ) throws(NetconvError) -> [MILValue]
}

/// Every kind of operation that is written.
enum MILTranslations {
  /// One line per file in `Operations`; a test compares the two.
  static let all: [any MILTranslation.Type] = [
    MILActivations.self,
    MILArithmetic.self,
    MILComparisons.self,
    MILConvolutions.self,
    MILFunctions.self,
    MILGathers.self,
    MILNormalizations.self,
    MILPoolings.self,
    MILProducts.self,
    MILRecurrences.self,
    MILReductions.self,
    MILResizings.self,
    MILShapes.self,
    MILSlices.self,
  ]

  /// The kind of an operation of the graph, with its operations in Core ML.
  static let byName: [String: (translation: any MILTranslation.Type, operations: String)] = {
    var table: [String: (translation: any MILTranslation.Type, operations: String)] = [:]
    for translation in all {
      for (name, operations) in translation.operations { table[name] = (translation, operations) }
    }
    return table
  }()
}
