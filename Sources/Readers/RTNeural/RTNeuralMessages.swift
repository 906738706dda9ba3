import Documents
import ModelIR

/// The errors of the RTNeural reader.
extension NetconvError {
  static func effectAround(_ key: String, _ value: JSONValue) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(key)) is \(value): the program that the file is for adds or multiplies something around the network, "
        + "which is not read; set it to 0, and do it in the program")
  }

  static func testVectorsOfOthers(_ input: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "the network takes \(input), and such samples are for a network with one value per step")
  }

  static func wrongTestVectors(
    _ key: String, _ found: [Int], expected: Shape
  ) -> NetconvError {
    NetconvError(
      .badData, "\(quoted(key)) has shape \(Shape(found)), which is not that of \(expected)")
  }

  static func noLayers(_ place: String) -> NetconvError {
    NetconvError(.badData, "\(quoted(place)) is empty, expected at least one layer")
  }

  static func shapeOverImages(_ rank: Int, _ path: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(path)) has \(rank) sizes; networks over (batch, length, channels) or (batch, channels) are read, and no "
        + "two-dimensional ones")
  }

  static func unknownRTNeuralType(_ name: String, _ path: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(path)) is \(quoted(name)), which is not read; known are "
        + RTNeuralLayerType.allCases.map(\.rawValue).joined(separator: ", "))
  }

  static func unknownRTNeuralActivation(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "the activation \(quoted(name)) is not known to RTNeural, which would leave it out; known are "
        + RTNeuralDocument.activations.joined(separator: ", "))
  }

  static func ignoredActivation(_ name: String, computed: String) -> NetconvError {
    NetconvError(
      .badData,
      "the activation is \(quoted(name)), which RTNeural ignores: it computes \(computed) here"
    )
  }

  static func wrongRTNeuralRank(_ shape: Shape) -> NetconvError {
    NetconvError(.badData, "its input is \(shape), expected (length, channels)")
  }

  static func wrongRTNeuralGroups(_ groups: Int, _ input: Int, _ output: Int) -> NetconvError {
    NetconvError(
      .badData, "\(groups) groups do not divide \(input) input and \(output) output channels")
  }

  static func statedLength(_ stated: Int, from length: Int) -> NetconvError {
    NetconvError(
      .badData,
      "its shape has \(stated) steps of \(length); RTNeural's JSON has neither strides nor another padding than causal"
    )
  }

  static func statedShape(_ stated: Shape, _ found: Shape) -> NetconvError {
    NetconvError(.badData, "its shape is \(stated), but its input and weights result in \(found)")
  }

  static func wrongArrayCount(_ found: Int, expected: ClosedRange<Int>) -> NetconvError {
    let count =
      expected.count == 1
      ? "\(expected.lowerBound)" : "\(expected.lowerBound) or \(expected.upperBound)"
    return NetconvError(.badData, "'weights' holds \(found) arrays, expected \(count)")
  }

  static func wrongArrayShape(_ found: [Int], expected: [Int]) -> NetconvError {
    NetconvError(.badData, "the lists are of shape \(found), expected \(expected)")
  }
}

extension SourceNote {
  /// The introduction of a file's own remarks.
  static let remarksText = "the file says of itself"
}
