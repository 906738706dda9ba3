import ModelIR

// The messages of errors about operations of a graph.

// MARK: - Operations

extension NetconvError {
  /// The error with the node in which it occurred.
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
    // Its inputs can be requested as outputs instead.
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
}

// MARK: - Constants

extension NetconvError {
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
      "combines samples of shape \(value) with a constant of shape \(shape); expected a number, one for "
        + "each channel, or a table that is the same for each sample")
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
      .badData,
      "pads by \(paddings), expected two numbers for each axis, of which mirrored ones are no more than its values"
    )
  }

  static func wrongTransposedSize(_ size: [Int?]) -> NetconvError {
    NetconvError(
      .badData,
      "asks for a size of \(size.map { $0.map { "\($0)" } ?? "?" }.joined(separator: "x")), which a transposed "
        + "convolution of these strides does not give")
  }

  static func dividesWholeNumbers(_ type: String) -> NetconvError {
    NetconvError(.badData, "divides \(type), which cuts fractions off, and is not read")
  }

  static func wrapsAround(_ type: String) -> NetconvError {
    NetconvError(
      .badData, "computes with \(type), which wraps around, and is not read; cast to a float before"
    )
  }

  static var squeezesBatch: NetconvError {
    NetconvError(.badData, "removes all axes of size 1, the batch among them, which is not read")
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
}
