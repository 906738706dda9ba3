import ModelIR

/// Error messages about the output file of a run.
extension NetconvError {
  static func noOutputFormat(_ path: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(path)) names no format for the outputs; end it in .npz, or in .npy for a single one"
    )
  }

  static func severalArrays(_ names: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "an .npy file holds one array, but there are \(names.count) outputs: "
        + names.prefix(10).map { quoted($0) }.joined(separator: ", ")
        + (names.count > 10 ? ", …" : "") + "; end the name in .npz")
  }

  static func outputIsInput(_ input: String) -> NetconvError {
    NetconvError(
      .usage,
      "is \(quoted(input)), which this run reads; an output never replaces an input, so choose another place"
    )
  }
}

extension NetconvError {
  static func missingInput(_ name: String, found: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "there is no array for the input \(quoted(name)); found "
        + (found.isEmpty ? "none" : found.map { quoted($0) }.joined(separator: ", "))
        + "; give one that name")
  }

  static func arraysPartlyNamed(
    _ known: String, _ stranger: String, inputs: [String]
  ) -> NetconvError {
    NetconvError(
      .usage,
      "has an array for the input \(quoted(known)), but \(quoted(stranger)) is called like none of the inputs, "
        + inputs.map { quoted($0) }.joined(separator: ", ") + "; name all arrays or none")
  }

  static func tooManyArrays(_ found: Int, inputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "holds \(found) arrays, but the model has \(inputs.count) "
        + "\(inputs.count == 1 ? "input" : "inputs"), "
        + inputs.map { quoted($0) }.joined(separator: ", ")
        + "; give arrays the names of inputs, or write no others to the file")
  }

  static func wrongScalar(_ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "has shape \(Shape(shape)), expected the batch as its first axis; x[numpy.newaxis] adds one")
  }
}

extension Event {
  static func inputsInOrder(_ pairs: [(input: String, array: String)]) -> Event {
    .warning(
      "the arrays are not called like the inputs, and went to them in order; "
        + "numpy.savez(file, NAME=array, …) names them",
      details: pairs.map { "\(quoted($0.array)) to \(quoted($0.input))" })
  }
}
