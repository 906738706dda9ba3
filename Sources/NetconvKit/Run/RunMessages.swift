import ModelIR

/// Error messages about the output file of a run.
extension NetconvError {
  static func noOutputFormat(_ path: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(path)) names no format for the outputs; end it in .npz, or in .npy for a single output"
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
      "is \(quoted(input)), which this run reads; an output never replaces an input, so choose another path"
    )
  }
}

extension NetconvError {
  static func missingInput(_ name: String, found: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "there is no array for the input \(quoted(name)); found "
        + (found.isEmpty ? "none" : found.map { quoted($0) }.joined(separator: ", "))
        + "; give one array that name")
  }

  static func arraysPartlyNamed(
    _ known: String, _ stranger: String, inputs: [String]
  ) -> NetconvError {
    NetconvError(
      .usage,
      "has an array for the input \(quoted(known)), but \(quoted(stranger)) is not the name of an input, "
        + inputs.map { quoted($0) }.joined(separator: ", ") + "; name all arrays or none")
  }

  static func tooManyArrays(_ found: Int, inputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "holds \(found) arrays, but the model has \(inputs.count) "
        + "\(inputs.count == 1 ? "input" : "inputs"), "
        + inputs.map { quoted($0) }.joined(separator: ", ")
        + "; name the arrays like the inputs, or leave out the others")
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
      "the arrays are not named like the inputs, and were assigned in order; "
        + "numpy.savez(file, NAME=array, …) names them",
      details: pairs.map { "\(quoted($0.array)) to \(quoted($0.input))" })
  }
}
