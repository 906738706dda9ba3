import ModelIR

/// The wording of every error of the readers of TensorFlow's graphs.
extension NetconvError {
  // MARK: - Format

  static func tooManyAxes(limit: Int) -> NetconvError {
    NetconvError(.badData, "a shape has more than \(limit) axes")
  }

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

// MARK: - Operations

extension NetconvError {
  /// The same error, with the node where it happened.
  func inNode(_ name: String, _ operation: String) -> NetconvError {
    inLayer("\(name) (\(operation))")
  }

  static func countsBatches(_ path: String) -> NetconvError {
    NetconvError(
      .badData, "\(quoted(path)) depends on how many samples are fed at once, which is not read")
  }

  static func noInteger(_ number: Double, _ path: String) -> NetconvError {
    NetconvError(.badData, "\(quoted(path)) holds \(number), expected whole numbers")
  }

  static func unknownSetting(_ key: String, _ value: String, known: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "\(key) is \(quoted(value)), which is not read; known are \(known.joined(separator: ", "))")
  }

  static func missingOperand(_ index: Int, _ operation: String) -> NetconvError {
    NetconvError(.badData, "\(operation) has no input \(index)")
  }

  static func expectedValue(_ index: Int, _ operation: String) -> NetconvError {
    NetconvError(
      .badData,
      "input \(index) of \(operation) is constant, expected one that follows from what is fed")
  }

  static func expectedConstant(_ index: Int, _ operation: String) -> NetconvError {
    NetconvError(
      .badData, "input \(index) of \(operation) follows from what is fed, expected a constant")
  }

  static var mergedBatch: NetconvError {
    NetconvError(
      .badData, "the graph has merged an axis with the batch before, which is not read here")
  }

  static func fedNumber(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "depends on the number that is fed to \(quoted(name)), which is only read in dropout")
  }

  static func axisOutside(_ axis: Int, rank: Int) -> NetconvError {
    NetconvError(.badData, "names axis \(axis) of \(rank)")
  }

  static var batchAxis: NetconvError {
    NetconvError(.badData, "works along the batch, which is not read")
  }

  static func noSuchOutput(_ index: Int) -> NetconvError {
    NetconvError(.badData, "output \(index) is not read")
  }

  static func unknownOperation(
    _ operation: String, reading names: [String] = []
  ) -> NetconvError {
    // What it reads can be asked for instead.
    let inputs = names.prefix(2).map { "'\(escaped($0))'" }.joined(separator: ", ")
    return NetconvError(
      .badData,
      "the operation \(quoted(operation)) is not read"
        + (names.isEmpty ? "" : "; it reads \(inputs)"))
  }

  static var inputWithoutShape: NetconvError {
    NetconvError(
      .badData,
      text:
        "the input does not state how many axes it has; state them with \(.graphInput), such as "
        + "name=?x28x28x1")
  }

  static var inputWithoutBatch: NetconvError {
    NetconvError(.badData, "the input is a single number; a network is fed samples")
  }

  static func inputsOfBatches(_ sizes: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "the first axes of the inputs are \(sizes.map { "\($0)" }.joined(separator: " and ")); expected the batch, "
        + "the same in all")
  }

  static func wrongInputShape(_ text: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.graphInput) is \(quoted(text)); expected a shape behind the last '=', such as name=?x28x28x1, "
        + "with the batch first and ? for what is open")
  }
}

// MARK: - Constants

extension NetconvError {
  static var dividesByZero: NetconvError {
    NetconvError(.badData, "divides a whole number by zero")
  }

  static func shapesDiffer(_ first: [Int], _ second: [Int]) -> NetconvError {
    NetconvError(.badData, "the shapes \(first) and \(second) do not fit together")
  }

  static var wrongSlice: NetconvError {
    NetconvError(.badData, "asks for a part that its input does not have")
  }

  static func openSlice(_ axis: Int) -> NetconvError {
    NetconvError(.badData, "takes a part of axis \(axis), whose size is open")
  }

  static func wrongPermutation(_ order: [Int]) -> NetconvError {
    NetconvError(.badData, "puts axes in the order \(order), which is none of all axes")
  }

  static func squeezesMore(_ shape: [Int]) -> NetconvError {
    NetconvError(.badData, "removes axes of the shape \(shape) that are not of size 1")
  }

  static func wrongReshape(_ shape: [Int], _ target: [Int]) -> NetconvError {
    NetconvError(.badData, "cannot give \(shape) the shape \(target)")
  }
}

// MARK: - Layers

extension NetconvError {
  static func noLayer(_ operation: String) -> NetconvError {
    NetconvError(
      .badData, "\(operation) is only read as a part of a function that netconv knows")
  }

  static var randomNumbers: NetconvError {
    NetconvError(.badData, "random numbers are only read in dropout")
  }

  static func ranksDiffer(_ first: Shape, _ second: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "combines samples of shape \(first) with samples of shape \(second), which is not read")
  }

  static func notPerChannel(_ shape: [Int], _ value: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "combines samples of shape \(value) with a constant of shape \(shape); expected a number, or one for "
        + "each channel")
  }

  static func wrongRankOfConstant(_ shape: [Int], expected: Int) -> NetconvError {
    NetconvError(.badData, "a constant has the shape \(shape), expected \(expected) axes")
  }

  static func wrongRankOfValue(_ shape: Shape, expected: Int) -> NetconvError {
    NetconvError(
      .badData, "reads samples of shape \(shape), expected \(expected) axes with the batch")
  }

  static func wrongKernelChannels(_ kernel: [Int], _ channels: Int) -> NetconvError {
    NetconvError(.badData, "a kernel of shape \(kernel) does not fit \(channels) channels")
  }

  static func openChannels(_ shape: Shape) -> NetconvError {
    NetconvError(.badData, "the number of channels of \(shape) is open")
  }

  static func openSize(_ shape: Shape) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "depends on the sizes of \(shape), which are open; state them with \(.graphInput), such as "
        + "name=?x224x224x3")
  }

  static func negativePadding(_ sides: [[Int]]) -> NetconvError {
    NetconvError(.badData, "pads by \(sides), expected numbers from 0 up")
  }

  static func wrongPaddings(_ paddings: [Int]) -> NetconvError {
    NetconvError(
      .badData, "pads by \(paddings), expected zeros along the axes of images and sequences alone")
  }

  static var padsWithNumbers: NetconvError {
    NetconvError(.badData, "pads with other numbers than 0")
  }

  static func wrongTransposedSize(_ size: [Int?]) -> NetconvError {
    NetconvError(
      .badData,
      "asks for a size of \(size.map { $0.map { "\($0)" } ?? "?" }.joined(separator: "x")), which a transposed "
        + "convolution of these strides does not give")
  }

  static var transposedOperand: NetconvError {
    NetconvError(.badData, "the first operand is transposed, which is not read")
  }

  static func stepsOf(_ stride: Int) -> NetconvError {
    NetconvError(.badData, "takes places in steps of \(stride), expected 1")
  }

  static var castsToIntegers: NetconvError {
    NetconvError(.badData, "cuts fractions off, which is not read")
  }

  static func otherAxes(_ axes: [Int], rank: Int) -> NetconvError {
    NetconvError(
      .badData, "works along axes \(axes) of \(rank), expected all places of an image or a sequence"
    )
  }

  static var squeezesBatch: NetconvError {
    NetconvError(.badData, "removes all axes of size 1, the batch among them, which is not read")
  }

  static func fixedBatch(_ size: Int) -> NetconvError {
    NetconvError(
      .badData, "the first axis becomes \(size), whatever the batch is, which is not read")
  }

  static var measuresFromCorners: NetconvError {
    NetconvError(
      .badData,
      "pixels of bicubic interpolation are measured from their corners, which is not read")
  }

  static var constWithoutValue: NetconvError {
    NetconvError(.badData, "a Const has no value")
  }

  static func wrongBlock(_ block: [Int]) -> NetconvError {
    NetconvError(.badData, "deals places out by blocks of \(block), which do not fit")
  }

  static var dealsOutMore: NetconvError {
    NetconvError(
      .badData, "deals places out to samples for something else than one dilated convolution")
  }

  static var normalizesByBatch: NetconvError {
    NetconvError(
      .badData,
      "is_training is set: means are taken over what is fed; freeze the graph for inference")
  }
}

// MARK: - The whole graph

extension NetconvError {
  /// Every node that is not read, and that the outputs need.
  static func unreadNodes(_ problems: [NetconvError]) -> NetconvError {
    var seen: Set<String> = []
    let lines = problems.map(\.nodeLine).filter { seen.insert($0).inserted }
    let noun = lines.count == 1 ? "1 node of the graph is" : "\(lines.count) nodes of the graph are"
    return NetconvError(
      .badData,
      text: "\(noun) not read; \(.weightsOnly) converts the weights without the graph",
      list: lines.map { Message(text: $0) })
  }

  /// The whole name, which a user may have to ask for.
  private var nodeLine: String { (layer.map { "'\(escaped($0))': " } ?? "") + message }
}

// MARK: - Ends and variables

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

  static func mergesParts(_ count: Int, _ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "puts \(count) parts of each sample of shape \(shape) into the batch, which are no whole axes"
    )
  }

  static var noWeightsInGraph: NetconvError {
    NetconvError(.badData, "holds neither variables nor constants of several numbers")
  }
}
