import Documents
import ModelIR

/// An operand of a function call.
enum KerasOperand: Sendable, Equatable {
  /// The output of another layer.
  case tensor
  /// A number, or nested lists of numbers.
  case constant(JSONValue)
}

/// A function that the framework recorded as a layer: `x + 3.0` between two layers.
///
/// Keras 3 records an `Operation` of `keras.ops`, Keras 2 a `TFOpLambda` of TensorFlow.
struct KerasFunctionCall: Equatable {
  /// The name: `ops.Add` for a Keras function, `tf.math.multiply` for a TensorFlow function.
  let name: String
  /// The tensors and constants, in order.
  var operands: [KerasOperand] = []
  /// The other arguments, by name.
  var settings: [String: JSONValue] = [:]

  /// The names of arguments that are operands rather than settings.
  private static let operandNames: Set<String> = ["x", "x1", "x2", "xs", "y", "a", "b", "values"]

  /// Reads an entry of a model's list of layers.
  ///
  /// - Returns: `nil` if the entry is a layer.
  /// - Throws: `badData` if the function is called several times with different constants.
  init?(_ value: JSONValue) throws(NetconvError) {
    let className = value.kerasClass ?? ""
    let isTensorFlow = ["TFOpLambda", "SlicingOpLambda"].contains(className)
    let bare: KerasFunctionCall
    if isTensorFlow, let function = value["config"]?["function"]?.string {
      bare = KerasFunctionCall(name: "tf." + function, config: value["config"])
    } else if Self.isOperation(value) {
      bare = KerasFunctionCall(name: "ops." + className, config: value["config"])
    } else {
      return nil
    }
    let calls = (value["inbound_nodes"]?.array ?? []).map { node in
      var call = bare
      if isTensorFlow {
        call.add(tensorFlow: node)
      } else {
        for argument in node["args"]?.array ?? [] { call.add(argument) }
        call.add(named: node["kwargs"] ?? .null)
      }
      return call
    }
    self = calls.first ?? bare
    for call in calls where call != self { throw .differentConstants(name) }
  }

  /// Returns true if an entry is a function of `keras.ops`; HDF5 files do not state its module.
  private static func isOperation(_ value: JSONValue) -> Bool {
    if let module = value["module"]?.string {
      return module.hasPrefix("keras.src.ops.") || module.hasPrefix("keras.ops")
    }
    // Only the configuration of a layer has a dtype or a trainable flag.
    guard case .object(let config)? = value["config"], config["trainable"] == nil,
      config["dtype"] == nil,
      config["layers"] == nil
    else { return false }
    return value["inbound_nodes"]?.array?.first?["args"] != nil
  }

  private init(name: String, config: JSONValue?) {
    self.name = name
    if case .object(let members)? = config { settings = members }
  }

  /// Adds the arguments of `[["conv", 0, 0, {"y": 2.0}]]`, or of `[["_CONSTANT_VALUE", -1, 3.0, …]]`.
  private mutating func add(tensorFlow node: JSONValue) {
    guard let elements = node.array else { return }
    guard let name = elements.first?.string else {
      for element in elements { add(tensorFlow: element) }
      return
    }
    if name == KerasReference.constantName, elements.count > 2 {
      operands.append(.constant(elements[2]))
    } else {
      operands.append(.tensor)
    }
    if elements.count > 3 { add(named: elements[3]) }
  }

  private mutating func add(named arguments: JSONValue) {
    guard case .object(let members) = arguments else { return }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      let tensors = (try? KerasReference.all(in: value)) ?? []
      if !tensors.isEmpty || Self.operandNames.contains(name) {
        add(value)
      } else if name != "name" {
        settings[name] = value
      }
    }
  }

  /// Adds an argument: one or more tensors, or a constant.
  private mutating func add(_ argument: JSONValue) {
    let tensors = (try? KerasReference.all(in: argument)) ?? []
    operands +=
      tensors.isEmpty
      ? [.constant(KerasLayerConfig.unwrapped(argument))] : tensors.map { _ in .tensor }
  }
}

extension KerasLayerConfig {
  /// Returns the numbers of a constant: a single one, or one for each index of the last axis.
  ///
  /// - Throws: `badData` if the constant has another shape.
  static func numbers(_ constant: JSONValue) throws(NetconvError) -> [Double] {
    var value = constant
    while let elements = value.array, elements.count == 1 { value = elements[0] }
    let elements = value.array ?? [value]
    let numbers = elements.compactMap(\.double)
    guard numbers.count == elements.count, !numbers.isEmpty else {
      throw .unsupportedConstant(constant)
    }
    return numbers
  }
}

extension NetconvError {
  fileprivate static func differentConstants(_ function: String) -> NetconvError {
    NetconvError(
      .badData, "the function \(quoted(function)) is called several times with other constants")
  }
}
