import ModelIR

// The wording of every error about files of TensorFlow Lite.

extension NetconvError {
  static func wrongTFLiteVersion(_ version: Int) -> NetconvError {
    NetconvError(.badData, "the schema has version \(version); expected 3")
  }

  static func noSuchTFLitePart(_ part: String, _ index: Int) -> NetconvError {
    NetconvError(.badData, "refers to the \(part) \(index), which the file does not have")
  }

  static func wrongTFLiteBuffer(offset: Int, size: Int, fileSize: Int) -> NetconvError {
    NetconvError(
      .badData,
      "a buffer has \(size) bytes from byte \(offset) on, but the file has \(fileSize); it is truncated or damaged"
    )
  }

  static var sparseTensor: NetconvError {
    NetconvError(.badData, "the values are stored without zeros, which is not read")
  }

  static var externalTFLiteBuffer: NetconvError {
    NetconvError(.badData, "the values are in another file, which is not read")
  }

  static var blockwiseScales: NetconvError {
    NetconvError(
      .badData, "the scales are for blocks of values, or a program's own, which is not read")
  }

  static func wrongTFLiteScales(
    _ scales: Int, _ points: Int, axis: Int, _ shape: [Int]
  ) -> NetconvError {
    NetconvError(
      .badData,
      "there are \(scales) scales and \(points) zero points along the axis \(axis) of the shape \(shape), which do not fit"
    )
  }
}

extension NetconvError {
  static func customTFLiteOperator(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "the custom operator \(quoted(name)) is a program's own, which is not read")
  }

  static var readsTFLiteVariable: NetconvError {
    NetconvError(.badData, "keeps its values from one run to the next, which is not read")
  }

  static func computesWithIntegers(_ type: String, isHybrid: Bool) -> NetconvError {
    NetconvError(
      .badData,
      isHybrid
        ? "weights of \(type) are multiplied by activations that the interpreter rounds to integers, which is not read"
        : "computes with integers of \(type) and their scales, which is not read")
  }

  static func otherTFLiteOptions(_ type: Int) -> NetconvError {
    NetconvError(.badData, "has the options of another operator, of number \(type)")
  }

  static func fusedTFLiteActivation(_ number: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the activation \(number == 4 ? "TANH" : "\(number)") behind an operator, which kernels pass over, is not read"
    )
  }

  static var choosesRows: NetconvError {
    NetconvError(.badData, "chooses whole rows by a vector, which is not read")
  }
}
