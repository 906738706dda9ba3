import ModelIR
import ProtocolBuffers

/// A node of a graph: an operation, its inputs and its attributes.
///
/// Source: tensorflow/core/framework/node_def.proto.
struct GraphNode {
  /// The name, unique in its graph or function.
  let name: String
  /// The operation, such as `Conv2D`.
  let operation: String
  /// The input tensors: `name`, `name:1`, in functions also `name:output:0`.
  let inputs: [String]
  /// The control inputs: nodes that have to run before this one.
  let controls: [String]
  let attributes: [String: GraphAttribute]

  /// The names of all nodes that have to run before this one.
  var sources: Set<String> { Set(inputs.map { TensorName($0).node }).union(controls) }

  private enum Number: Int {
    case name = 1
    case operation = 2
    case input = 3
    case attribute = 5
  }

  init(
    name: String, operation: String, inputs: [String], controls: [String],
    attributes: [String: GraphAttribute]
  ) {
    self.name = name
    self.operation = operation
    self.inputs = inputs
    self.controls = controls
    self.attributes = attributes
  }

  init(_ message: WireMessage) throws(NetconvError) {
    var name = ""
    var operation = ""
    var inputs: [String] = []
    var controls: [String] = []
    var attributes: [String: GraphAttribute] = [:]
    do throws(NetconvError) {
      try message.forEachField { field throws(NetconvError) in
        switch Number(rawValue: field.number) {
        case .name: name = try field.text()
        case .operation: operation = try field.text()
        case .input:
          let input = try field.text()
          if input.hasPrefix("^") {
            controls.append(String(input.dropFirst()))
          } else {
            inputs.append(input)
          }
        case .attribute:
          let (key, value) = try mapEntry(field, "NodeDef.AttrEntry")
          if let value { attributes[key] = try GraphAttribute(value) }
        case nil: break
        }
      }
    } catch {
      throw name.isEmpty ? error : error.inLayer(name)
    }
    self.name = name
    self.operation = operation
    self.inputs = inputs
    self.controls = controls
    self.attributes = attributes
  }
}

extension [String: GraphAttribute] {
  /// The shape of a placeholder, or of the first output; `nil` if none is stated.
  var statedShape: GraphShape? {
    if case .shape(let shape) = self["shape"], shape.dimensions != nil { return shape }
    guard case .shapes(let shapes) = self["_output_shapes"], let shape = shapes.first,
      shape.dimensions != nil
    else { return nil }
    return shape
  }
}

extension GraphNode {
  /// Returns the node with another shape.
  func stating(_ shape: GraphShape) -> GraphNode {
    var attributes = attributes
    attributes["shape"] = .shape(shape)
    return GraphNode(
      name: name, operation: operation, inputs: inputs, controls: controls, attributes: attributes)
  }
}

/// The key and the value message of a map entry.
func mapEntry(
  _ field: WireField, _ type: String
) throws(NetconvError) -> (key: String, value: WireMessage?) {
  var key = ""
  var value: WireMessage?
  try field.inner(type).forEachField { field throws(NetconvError) in
    switch field.number {
    case 1: key = try field.text()
    case 2: value = try field.inner(type)
    default: break
    }
  }
  return (key, value)
}
