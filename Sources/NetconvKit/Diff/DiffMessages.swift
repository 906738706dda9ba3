import ModelIR

/// Notes about comparisons.
enum DiffMessages {
  static func renamed(_ a: String, _ b: String) -> Message {
    "\(escaped(a)) is named \(escaped(b)) in B"
  }

  static func graphsNotCompared(_ without: [String]) -> Message {
    (without.count == 2
      ? "A and B hold weights without a graph that netconv can read"
      : "\(without.joined()) holds weights without a graph that netconv can read")
      + "; only tensors were compared"
  }

  static func graphNotRead(_ name: String, _ error: NetconvError) -> Message {
    "the graph beside the checkpoint \(name) was not read: " + error.text
  }

  static func folded(_ name: String, _ count: Int, other: String) -> Message {
    "\(name) was folded when it was converted: \(grouped(count)) \(count == 1 ? "layer" : "layers") went into the "
      + "kernels before them; \(.folds) folds \(other) the same way first"
  }

  static func moved(
    _ a: String, _ b: String, _ pattern: String, _ request: DiffRequest
  ) -> Message {
    "\(escaped(b)) of B has the values of \(escaped(a)), rearranged: \(pattern); for the right layout run: netconv relate "
      + "\(shellQuoted(request.first)) \(shellQuoted(request.second))"
      + request.options.given(.both) + request.secondOptions.given(.second)
  }

  static func sharedAxes(_ count: Int) -> Message {
    "the axes of \(counted(count, "tensor")) are not named in both; values were compared as stored"
  }

  static let nothingToFold: Message = "neither A nor B has layers to fold"

  /// Returns a suggestion to run both networks; options for B become those of the verified network.
  static func tryVerification(_ request: DiffRequest) -> Message {
    let ofSecond = request.secondOptions
    let isAlike = ofSecond == SourceOptions()
    let options =
      isAlike
      ? request.options.given(.both)
      : ofSecond.orThose(of: request.options).given(.both) + request.options.given(.reference)
    let command: Message =
      "netconv verify \(shellQuoted(request.second)) \(.against) \(shellQuoted(request.first))"
    return "to see their effect on each layer and the outputs, run: " + command + options
  }

  static func bothNotFinite(_ tensor: String, _ nonFinite: Int, of count: Int) -> Message {
    "\(escaped(tensor)): \(grouped(nonFinite)) of \(grouped(count)) values are not finite, the same in both"
  }

  static func zeroBias(_ tensor: Tensor, in name: String, other: String) -> Message {
    "\(escaped(tensor.title)) is zeros in \(name), and \(other) has none: both compute the same"
  }

  static func summedBiases(_ layer: String, in name: String, other: String) -> Message {
    "\(quoted(layer)) has two biases in \(name) and one in \(other), which is compared with their sum"
  }

  static func otherOrder(_ tensor: String, _ order: String) -> Message {
    "\(escaped(tensor)) is equal if a flatten merges in the order \(order)"
  }
}
