import ModelIR

/// The messages of errors of the TensorFlow graph readers.
extension NetconvError {
  // MARK: - Format

  static func wrongTensorLength(_ count: Int, _ type: String, _ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData, "a tensor of type \(type) and shape \(shape) has \(count) bytes, which do not fit")
  }

  static func longNumberList(limit: Int) -> NetconvError {
    NetconvError(
      .badData, "a tensor lists more than \(limit) numbers one by one; expected them as bytes")
  }

  static func wrongNumberList(_ listed: Int, _ count: Int) -> NetconvError {
    NetconvError(.badData, "a tensor lists \(listed) numbers for \(count) values of its type")
  }

  static func noNumbers(_ type: String) -> NetconvError {
    NetconvError(.badData, "a tensor of type \(type) has no numbers that netconv can compute with")
  }

  static func tooManyNumbers(_ count: Int, limit: Int) -> NetconvError {
    NetconvError(
      .badData, "a constant of \(count) values would have to be computed, expected at most \(limit)"
    )
  }
}

// MARK: - Nodes and calls

extension NetconvError {
  static func missingNode(_ name: String) -> NetconvError {
    NetconvError(.badData, "reads the node \(quoted(name)), which the graph does not have")
  }

  static func circleOfNodes(_ names: [String]) -> NetconvError {
    let shown = names.prefix(3).quotedList
    return NetconvError(
      .badData,
      "\(names.count) nodes wait for each other in a circle, as loops do, which are not read: \(shown)"
        + (names.count > 3 ? ", …" : ""))
  }
}

// MARK: - Whole graphs

extension NetconvError {
  /// The error for all unsupported nodes that the outputs need.
  ///
  /// - Parameter hasWeights: true if the weights can be read without the graph.
  static func unreadNodes(_ problems: [NetconvError], hasWeights: Bool = true) -> NetconvError {
    var seen: Set<String> = []
    let lines = problems.map(\.nodeLine).filter { seen.insert($0.description).inserted }
    let noun = lines.count == 1 ? "1 node of the graph is" : "\(lines.count) nodes of the graph are"
    return NetconvError(
      .badData,
      text: Message(text: "\(noun) not read")
        + (hasWeights ? "; \(.weightsOnly) converts the weights without the graph" : ""),
      list: lines)
  }

  /// The full name, which a user may have to pass as an option.
  private var nodeLine: Message {
    Message(text: layer.map { "'\(escaped($0))': " } ?? "") + text
  }
}

// MARK: - Inputs, outputs and variables

extension NetconvError {
  static var noPlaceholders: NetconvError {
    NetconvError(
      .badData,
      text:
        "no node states the shape of what is fed; name the input and its shape with \(.graphInput), such as "
        + "name=?x28x28x1")
  }

  static func constantOutput(_ name: String) -> NetconvError {
    NetconvError(.badData, "the output \(quoted(name)) does not depend on what is fed")
  }

  static var noGraphInFile: NetconvError {
    NetconvError(.badData, "holds no graph")
  }

  static var variableWithoutValues: NetconvError {
    NetconvError(
      .badData,
      "a variable has no values here; name the SavedModel, the .meta file beside its checkpoint, or a frozen graph"
    )
  }
}
