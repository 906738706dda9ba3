import ModelIR
import Readers

/// A graph for weights without one: each bound parameter is a complete tensor of the source.
enum BindingTarget: FuzzTarget {
  static let name = "binding"

  static func parse(_ bytes: [UInt8]) throws {
    try withFile(weights) { weights in
      try withFile(bytes) { graph in
        let source = try ReaderRegistry.read(
          weights, ReaderOptions(architecture: Architecture(graph, convention: "torch")))
        let model = try mustWork("asking for the graph") { () throws(NetconvError) in
          try source.model
        }
        for tensor in model.tensors {
          guard let shape = tensors.first(where: { $0.name == tensor.stored.path })?.shape else {
            throw BrokenRule(message: "a parameter is bound to a tensor that is not there")
          }
          try hold(tensor.storedShape == shape, "a tensor has another shape than in the file")
          let values = try mustWork("reading a tensor") { () throws(NetconvError) in
            try tensor.values()
          }
          try hold(values.count == shape.reduce(1, *), "a tensor has another number of values")
        }
      }
    }
  }

  /// The tensors that the seeds bind.
  private static let tensors: [(name: String, shape: [Int])] = [
    ("conv.weight", [3, 2, 2, 2]), ("conv.bias", [3]), ("norm.weight", [3]), ("norm.bias", [3]),
    ("norm.running_mean", [3]), ("norm.running_var", [3]), ("fc.weight", [4, 12]), ("fc.bias", [4]),
    ("rnn.weight_ih_l0", [8, 3]), ("rnn.weight_hh_l0", [8, 2]), ("rnn.bias_ih_l0", [8]),
    ("rnn.bias_hh_l0", [8]),
  ]

  /// The tensors as a safetensors file of zeros.
  static let weights: [UInt8] = {
    var start = 0
    var members: [String] = []
    for (name, shape) in tensors {
      let end = start + 4 * shape.reduce(1, *)
      members.append(
        "\"\(name)\":{\"dtype\":\"F32\",\"shape\":\(shape),\"data_offsets\":[\(start),\(end)]}")
      start = end
    }
    let header = Array("{\(members.joined(separator: ","))}".utf8)
    return withUnsafeBytes(of: UInt64(header.count).littleEndian) { Array($0) } + header
      + [UInt8](repeating: 0, count: start)
  }()
}
