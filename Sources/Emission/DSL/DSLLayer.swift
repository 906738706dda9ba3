import ModelIR
import Operators

/// A layer in the words of the model language, applied to what it reads.
struct DSLLayer {
  /// `input --> Flatten(name: "flatten")`.
  let text: String

  /// The text of `layer`, which reads the constants `reads`.
  ///
  /// - Throws: `badData` if the language has no word for it.
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

/// What the model language calls an operator, and how it says the attributes.
struct DSLPhrase {
  /// `Convolution1D`.
  let word: String
  /// All but the name.
  let arguments: [String]
  /// What is called with the layer as its argument, if anything is.
  var wrapper: String?
  /// How many of the nodes that the layer reads, the last ones, are among the arguments.
  var furtherReads = 0

  init(_ word: String, _ arguments: [String?] = []) {
    self.word = word
    self.arguments = arguments.compactMap(\.self)
  }

  /// `Convolution1D(kernel: 5, channels: 8, name: "conv")`.
  func call(_ nodes: [String], _ name: String) -> String {
    let call = "\(word)(" + (nodes + arguments + [name]).joined(separator: ", ") + ")"
    return wrapper.map { "\($0)(\(call))" } ?? call
  }
}

extension DSLPhrase {
  /// The phrase of a layer that reads the constants `reads`.
  ///
  /// - Throws: `badData` if the language has no word for it.
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

  /// Whether the language has a word for a layer.
  static func exists(for layer: Layer) -> Bool {
    (try? DSLPhrase(layer, reading: layer.inputs)) != nil
  }

  /// - Parameters:
  ///   - layer: whose operator it is, or whose steps it is applied to.
  ///   - rank: of what it is applied to.
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
