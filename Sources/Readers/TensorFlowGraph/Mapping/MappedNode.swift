import ModelIR
import Operators

/// A node with its inputs as the builder represents them.
struct MappedNode: GraphOperands {
  let name: String
  let operation: String
  let inputs: [GraphResult]
  let attributes: [String: GraphAttribute]

  // Writers omit attributes whose value is the default of the operation's definition.

  func integer(_ key: String, default fallback: Int) -> Int {
    if case .integer(let value) = attributes[key] { value } else { fallback }
  }

  func number(_ key: String, default fallback: Double) -> Double {
    if case .number(let value) = attributes[key] { Double(value) } else { fallback }
  }

  func flag(_ key: String, default fallback: Bool) -> Bool {
    if case .flag(let value) = attributes[key] { value } else { fallback }
  }

  func text(_ key: String, default fallback: String) -> String {
    if case .text(let bytes) = attributes[key] {
      String(decoding: bytes, as: UTF8.self)
    } else {
      fallback
    }
  }

  func integers(_ key: String) -> [Int]? {
    if case .integers(let values) = attributes[key] { values } else { nil }
  }

  func type(_ key: String) -> TensorFlowType? {
    if case .type(let type) = attributes[key] { type } else { nil }
  }

  /// True if images are channels first.
  func isChannelsFirst() throws(NetconvError) -> Bool {
    switch text("data_format", default: "NHWC") {
    case "NHWC", "NDHWC": return false
    case "NCHW", "NCDHW": return true
    case let other:
      throw .unknownSetting(
        "data_format", other, known: ["NHWC", "NCHW", "NDHWC", "NCDHW"])
    }
  }

  // MARK: - Inputs

  func optional(_ index: Int) -> GraphResult? {
    inputs.indices.contains(index) ? inputs[index] : nil
  }
}
