import Documents
import ModelIR
import Operators

/// An operator without weights that is put in the place of a layer which netconv cannot read.
public struct LayerReplacement: Sendable {
  /// The layer, after the models that it lies in: `body/lambda_1`.
  public let layer: String
  /// What is put in its place.
  public let operation: any Operator
  /// The operator as it was written: `Rescaling(scale: 1/127.5, offset: -1)`.
  public let text: String

  /// Reads `LAYER=OPERATOR(attribute: value, …)`, with the names that `model.json` has for operators and attributes.
  ///
  /// A value is a number, which can be a fraction; a text, with or without quotes; `true`, `false` or `null`; a list of
  /// values in brackets; or an object in braces. Of a list with one element, that will do.
  /// - Throws: `usage` that points at the place of the first mistake.
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

  /// The names of what can be put in the place of a layer.
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

/// Which layers of a source are replaced.
public struct LayerReplacements: Sendable {
  /// The replacements by their layers.
  let byLayer: [String: LayerReplacement]
  /// Whether it is an error if a layer is not there, or can be read; else it stays what it is.
  let isStrict: Bool

  /// None.
  public static let none = LayerReplacements(byLayer: [:], isStrict: true)

  /// These, each of which has to find its layer.
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

  /// The same where layers need not be there, as one of two sources can have them.
  public var ifThere: LayerReplacements {
    LayerReplacements(byLayer: byLayer, isStrict: false)
  }

  /// Whether there are none.
  public var isEmpty: Bool { byLayer.isEmpty }

  /// The layers that are named, in alphabetical order.
  public var layers: [String] { byLayer.keys.sorted() }
}
