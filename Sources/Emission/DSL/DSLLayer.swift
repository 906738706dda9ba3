import ModelIR
import Operators

/// A layer as a statement of the model language, applied to its inputs.
struct DSLLayer {
  /// The source text, such as `input --> Flatten(name: "flatten")`.
  let text: String

  /// Creates the text for `layer`, whose inputs are the constants `reads`.
  ///
  /// - Throws: `badData` if the language cannot express the layer.
  init(_ layer: Layer, reading reads: [String]) throws(NetconvError) {
    let phrase = try DSLPhrase(layer, reading: reads)
    let name = "name: " + SwiftText.literal(layer.owner)
    let nodes = Array(reads.dropLast(phrase.furtherReads))
    let list = "[" + nodes.joined(separator: ", ") + "]"
    if layer.operation is Concatenate || layer.operation is any MergeOperator {
      text = phrase.call([list], name)
    } else if layer.owner == layer.name {
      text = nodes.joined(separator: ", ") + " --> " + phrase.call([], name)
    } else {
      text =
        phrase.call([], name) + ".applied(to: \(list), as: \(SwiftText.literal(layer.name)))"
    }
  }
}

/// The name and arguments of an operator in the model language.
struct DSLPhrase {
  /// The name of the type, such as `Convolution1D`.
  let word: String
  /// All arguments except the name.
  let arguments: [String]
  /// A function that is called with the layer as its argument, if any.
  var wrapper: String?
  /// The number of trailing input nodes that are passed as arguments.
  var furtherReads = 0

  init(_ word: String, _ arguments: [String?] = []) {
    self.word = word
    self.arguments = arguments.compactMap(\.self)
  }

  /// The source text of the call: `Convolution1D(kernel: 5, channels: 8, name: "conv")`.
  func call(_ nodes: [String], _ name: String) -> String {
    let call = "\(word)(" + (nodes + arguments + [name]).joined(separator: ", ") + ")"
    return wrapper.map { "\($0)(\(call))" } ?? call
  }
}

extension DSLPhrase {
  /// Creates the phrase for a layer whose inputs are the constants `reads`.
  ///
  /// - Throws: `badData` if the language cannot express the layer.
  init(_ layer: Layer, reading reads: [String]) throws(NetconvError) {
    guard let rank = layer.inputShapes.first?.rank else {
      throw .noWord(type(of: layer.operation).name)
    }
    guard let steps = layer.operation as? TimeDistributed else {
      self = try Self.phrase(layer.operation, layer, rank: rank, reads)
      return
    }
    self = try Self.phrase(steps.operation, layer, rank: rank - 1, reads)
    wrapper = "TimeDistributed"
  }

  /// True if the language can express the layer.
  static func exists(for layer: Layer) -> Bool {
    (try? DSLPhrase(layer, reading: layer.inputs)) != nil
  }

  /// - Parameters:
  ///   - layer: The layer of the operator, or the `TimeDistributed` layer around it.
  ///   - rank: The rank of the operator's input.
  private static func phrase(
    _ operation: any Operator, _ layer: Layer, rank: Int, _ reads: [String]
  ) throws(NetconvError) -> DSLPhrase {
    switch operation {
    case let operation as any RecurrentOperator:
      return try recurrent(operation, layer, reads)
    case let operation as any SteppingOperator:
      return try convolutional(operation, layer, reads)
    case let operation as any SummingOperator: return try sum(operation, layer, rank: rank)
    case let operation as any VarianceOperator: return try normalization(operation, layer)
    case let operation as LocallyConnected2D: return local(operation, layer)
    case let operation as LocallyConnected1D: return local(operation, layer)
    default: return try plain(operation, reads)
    }
  }
}
