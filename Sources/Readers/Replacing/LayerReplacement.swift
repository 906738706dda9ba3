import Documents
import ModelIR
import Operators

/// An operator without weights that replaces an unsupported layer.
public struct LayerReplacement: Sendable {
  /// The path of the layer in nested models: `body/lambda_1`.
  public let layer: String
  /// The replacement.
  public let operation: any Operator
  /// The text of the operator: `Rescaling(scale: 1/127.5, offset: -1)`.
  public let text: String

  /// Parses `LAYER=OPERATOR(attribute: value, …)`, with the names of operators and attributes from `model.json`.
  ///
  /// A value is a number, which can be a fraction; a string, with or without quotes; `true`, `false` or `null`; a
  /// list of values in brackets; or an object in braces. The brackets of a list with one element are optional.
  /// - Throws: `usage` with the position of the first syntax error.
  public init(_ text: String) throws(NetconvError) {
    do throws(ReplacementParser.Mistake) {
      var parser = ReplacementParser(text)
      let parsed = try parser.replacement()
      layer = parsed.layer
      operation = try Self.operation(parsed)
      self.text = parsed.text
    } catch {
      throw .wrongReplacement(text, at: error.position, error.message, details: error.details)
    }
  }

  /// The names of the operators that can replace a layer.
  static let operatorNames = OperatorRegistry.all.filter { !$0.needsParameters }.map { $0.name }

  private static func operation(
    _ parsed: ReplacementParser.Replacement
  ) throws(ReplacementParser.Mistake) -> any Operator {
    guard let type = OperatorRegistry.type(named: parsed.name) else {
      throw .unknownOperator(parsed.name, at: parsed.namePosition, known: operatorNames)
    }
    guard !type.needsParameters else { throw .weighted(type.name, at: parsed.namePosition) }
    let known = OperatorAttributes.names(of: type)
    var attributes: [String: JSONValue] = [:]
    for attribute in parsed.attributes {
      guard known.contains(attribute.name) else {
        throw .unknownAttribute(attribute.name, of: type.name, at: attribute.position, known: known)
      }
      guard attributes.updateValue(attribute.value, forKey: attribute.name) == nil else {
        throw .repeatedAttribute(attribute.name, at: attribute.position)
      }
    }
    do throws(OperatorAttributes.Mistake) {
      return try OperatorAttributes.operation(type, attributes)
    } catch {
      let attribute = parsed.attributes.first { $0.name == error.attribute }
      throw .wrongAttributes(
        type.name, error.message, at: attribute?.position ?? parsed.namePosition, known: known)
    }
  }
}

/// The layer replacements for a source.
public struct LayerReplacements: Sendable {
  /// The replacements by layer.
  let byLayer: [String: LayerReplacement]
  /// True if a layer that is missing or supported is an error; otherwise its replacement is ignored.
  let isStrict: Bool

  /// No replacements.
  public static let none = LayerReplacements(byLayer: [:], isStrict: true)

  /// Creates strict replacements, each of which must match a layer.
  ///
  /// - Throws: `usage` if a layer is named twice.
  public init(_ replacements: [LayerReplacement]) throws(NetconvError) {
    var byLayer: [String: LayerReplacement] = [:]
    for replacement in replacements {
      guard byLayer.updateValue(replacement, forKey: replacement.layer) == nil else {
        throw .replacedTwice(replacement.layer)
      }
    }
    self.init(byLayer: byLayer, isStrict: true)
  }

  private init(byLayer: [String: LayerReplacement], isStrict: Bool) {
    self.byLayer = byLayer
    self.isStrict = isStrict
  }

  /// The same replacements, but optional, as for one of two sources.
  public var ifThere: LayerReplacements {
    LayerReplacements(byLayer: byLayer, isStrict: false)
  }

  /// True if there are no replacements.
  public var isEmpty: Bool { byLayer.isEmpty }

  /// The replaced layers, in alphabetical order.
  public var layers: [String] { byLayer.keys.sorted() }
}

extension NetconvError {
  /// - Parameter position: The position of the error in `text`, in characters.
  fileprivate static func wrongReplacement(
    _ text: String, at position: Int, _ message: String, details: [String]
  ) -> NetconvError {
    let before = escaped(String(text.prefix(position))).count
    return NetconvError(
      .usage, message,
      details: [escaped(text), String(repeating: " ", count: before) + "^"] + details)
  }

  fileprivate static func replacedTwice(_ layer: String) -> NetconvError {
    NetconvError(.usage, "the layer \(quoted(layer)) is replaced twice; leave out one of the two")
  }
}

extension ReplacementParser.Mistake {
  fileprivate static func unknownOperator(_ name: String, at position: Int, known: [String]) -> Self
  {
    Self(
      position: position,
      message: "there is no operator \(quoted(name))" + didYouMean(name, among: known),
      details: ["known are " + known.joined(separator: ", ")])
  }

  fileprivate static func weighted(_ name: String, at position: Int) -> Self {
    Self(
      position: position,
      message:
        "\(name) has weights, which no file holds for a layer that is replaced; name an operator "
        + "without weights")
  }
}
