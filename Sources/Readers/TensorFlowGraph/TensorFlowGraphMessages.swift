import ModelIR

/// The messages of errors of the TensorFlow graph readers.
extension NetconvError {
  // MARK: - Format

  static var openTensor: NetconvError {
    NetconvError(.badData, "a tensor that the graph holds does not state its shape")
  }

  static func wrongTensorLength(_ count: Int, _ type: String, _ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData, "a tensor of type \(type) and shape \(shape) has \(count) bytes, which do not fit")
  }

  static var mixedNumberList: NetconvError {
    NetconvError(.badData, "the values of a tensor are written in several ways at once")
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

  static func repeatedNode(_ name: String) -> NetconvError {
    NetconvError(.badData, "two nodes are called \(quoted(name))")
  }

  static func signatureWithoutTensor(_ key: String) -> NetconvError {
    NetconvError(
      .badData, "\(quoted(key)) of a signature names no tensor; composite tensors are not read")
  }
}

// MARK: - Nodes and calls

extension NetconvError {
  static func missingNode(_ name: String) -> NetconvError {
    NetconvError(.badData, "reads the node \(quoted(name)), which the graph does not have")
  }

  static func missingArgument(_ name: String, of function: String) -> NetconvError {
    NetconvError(
      .badData, "the call of \(quoted(function)) gives nothing for its argument \(quoted(name))")
  }

  static func missingResult(_ index: Int, of function: String) -> NetconvError {
    NetconvError(.badData, "reads result \(index) of \(quoted(function)), which gives no such")
  }

  static func branchNumber(_ merge: String) -> NetconvError {
    NetconvError(.badData, "reads which branch was taken from \(quoted(merge)), which is not read")
  }

  static func tooManyNodes(limit: Int) -> NetconvError {
    NetconvError(
      .badData, "the graph has more than \(limit) nodes with its functions spelled out")
  }

  static func deepCalls(_ function: String, limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "functions call each other more than \(limit) deep, the last of them \(quoted(function))")
  }

  static func circleOfNodes(_ names: [String]) -> NetconvError {
    let shown = names.prefix(3).map { quoted($0) }.joined(separator: ", ")
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
  static func renamesNothingInGraph(_ name: String, among names: [String]) -> NetconvError {
    let near = didYouMean(name, among: names)
    return NetconvError(
      .usage,
      text: "\(.renames) names \(quoted(name)), which is no variable of the graph"
        + Message(text: near),
      list: near.isEmpty ? names.sorted().prefix(20).map { Message(text: quoted($0)) } : [])
  }

  static func renamesTwice(_ name: String) -> NetconvError {
    NetconvError(.usage, text: "\(.renames) gives the variable \(quoted(name)) two names")
  }

  static func renamedWithoutLayer(_ old: String, _ new: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.renames) calls \(quoted(old)) \(quoted(new)); expected the layer's name, a slash and the variable's, "
        + "such as conv1/W")
  }

  static func renamedToLayers(_ first: String, _ second: String) -> NetconvError {
    NetconvError(
      .usage,
      text: "with \(.renames) the variables of one layer would be \(quoted(first)) and "
        + "\(quoted(second)); expected the same name before the last slash")
  }

  static func noSuchNode(_ name: String, nearest: String?) -> NetconvError {
    NetconvError(
      .usage,
      "the graph has no node \(quoted(name))"
        + (nearest.map { "; did you mean \(quoted($0))?" } ?? ""))
  }

  static var noPlaceholders: NetconvError {
    NetconvError(
      .badData,
      text:
        "no node states the shape of what is fed; name the input and its shape with \(.graphInput), such as "
        + "name=?x28x28x1")
  }

  static var noSinks: NetconvError {
    NetconvError(
      .badData,
      text: "no node is an output that nothing reads; name the outputs with \(.graphOutput)")
  }

  static func outputsOfTraining(_ likely: [String]) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "the graph also trains, so that it does not show what its outputs are; name them with \(.graphOutput)",
      list: likely.map { Message(text: "perhaps \(quoted($0))") })
  }

  static func constantOutput(_ name: String) -> NetconvError {
    NetconvError(.badData, "the output \(quoted(name)) does not depend on what is fed")
  }

  static var noGraphInFile: NetconvError {
    NetconvError(.badData, "holds no graph")
  }

  static var noSignature: NetconvError {
    NetconvError(
      .badData,
      "has no signature, so that nothing says what is fed; save it with one, by "
        + "tf.saved_model.save(…, signatures=…) or model.export(…)")
  }

  static func severalSignatures(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      text: "has several signatures and none called 'serving_default': "
        + "\(names.map { quoted($0) }.joined(separator: ", ")); name the outputs with \(.graphOutput)"
    )
  }

  static func metaWithoutEnding(_ ending: String) -> NetconvError {
    NetconvError(
      .badData,
      "is the graph of a checkpoint; expected its name to be the checkpoint's with \(ending) behind it"
    )
  }

  static func restoresSlice(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "a variable is restored from a part of \(quoted(name)), which is not read")
  }

  static func wrongVariableShape(_ shape: [Int], expected: [Int]) -> NetconvError {
    NetconvError(.badData, "the checkpoint has the shape \(shape), the graph expects \(expected)")
  }

  static var variableWithoutValues: NetconvError {
    NetconvError(
      .badData,
      "a variable has no values here; name the SavedModel, the .meta file beside its checkpoint, or a frozen graph"
    )
  }

  static var noWeightsInGraph: NetconvError {
    NetconvError(.badData, "holds neither variables nor constants of several numbers")
  }
}
