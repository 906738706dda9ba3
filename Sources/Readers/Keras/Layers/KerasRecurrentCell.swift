import Documents
import ModelIR
import Operators

/// A recurrent layer that consists of cells; ``KerasSequences`` expands them.
///
/// Source: keras/src/layers/rnn/rnn.py and stacked_rnn_cells.py.
enum KerasRecurrentCell: KerasLayerMapping {
  static let className = "RNN"
  static let classNames = [className]
  static let operators: [any Operator.Type] = [LSTM.self, GRU.self, SimpleRNN.self]
  static let refused = ["cells of your own", "cells inside wrappers"]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    // Only reached if no graph expands the layer.
    throw .severalLayers(className)
  }

  private static let classes = ["LSTMCell": "LSTM", "GRUCell": "GRU", "SimpleRNNCell": "SimpleRNN"]
  private static let stack = "StackedRNNCells"
  private static let limit = 64

  /// Returns the layers for the cells, in execution order.
  ///
  /// - Throws: `badData` if one of them is not a supported cell.
  static func layers(
    of layer: KerasLayerConfig
  ) throws(NetconvError) -> [(layer: KerasLayerConfig, part: KerasPart)] {
    let cell = layer.settings["cell"] ?? .null
    guard cell.kerasClass == stack else {
      return [(try recurrent(cell, of: layer), KerasPart(name: "cell", group: "cell", match: nil))]
    }
    let cells = cell["config"]?["cells"]?.array ?? []
    guard (1...limit).contains(cells.count) else { throw .noCells(cells.count, limit: limit) }
    var layers: [(layer: KerasLayerConfig, part: KerasPart)] = []
    var numbers: [String: Int] = [:]
    for (index, cell) in cells.enumerated() {
      var own = try recurrent(cell, of: layer)
      if index < cells.count - 1 { own = own.replacing("return_sequences", with: .bool(true)) }
      // Later cells read the output of the first in its order.
      if index > 0 { own = own.replacing("go_backwards", with: .bool(false)) }
      let base = KerasPathWeights.snakeCase(cell["class_name"]?.string ?? "")
      let number = numbers[base, default: 0]
      numbers[base] = number + 1
      layers.append(
        (
          own,
          KerasPart(
            name: "cell\(index)", group: "cell/cells/\(base)\(number == 0 ? "" : "_\(number)")",
            match: cell["config"]?["name"]?.string.map(KerasPart.Match.named))
        ))
    }
    return layers
  }

  /// Returns the number of state arrays of a recurrent layer, or of a layer of cells.
  ///
  /// - Throws: `badData` if one of the cells is not supported.
  static func stateCount(of layer: KerasLayerConfig) throws(NetconvError) -> Int {
    guard layer.className == className else {
      return KerasRecurrent.stateCount(of: layer.className) ?? 1
    }
    return try layers(of: layer).reduce(0) {
      $0 + (KerasRecurrent.stateCount(of: $1.layer.className) ?? 1)
    }
  }

  /// Returns the recurrent layer that runs a cell over a sequence.
  private static func recurrent(
    _ cell: JSONValue, of layer: KerasLayerConfig
  ) throws(NetconvError) -> KerasLayerConfig {
    guard let name = cell.kerasClass, let className = classes[name],
      case .object(let own)? = cell["config"], case .object(let outer) = layer.settings
    else { throw .notRecurrent(cell.kerasClass ?? "", inside: className) }
    let settings = outer.merging(own) { _, own in own }
    var recurrent = try KerasLayerConfig(
      .object([
        "class_name": .string(className), "config": .object(settings),
      ]), place: "cell")
    recurrent.name = layer.name
    recurrent.kerasVersion = layer.kerasVersion
    return recurrent
  }
}

extension NetconvError {
  fileprivate static func noCells(_ count: Int, limit: Int) -> NetconvError {
    NetconvError(.badData, "StackedRNNCells has \(count) cells, expected 1 to \(limit)")
  }
}
