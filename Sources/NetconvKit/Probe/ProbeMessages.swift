import ModelIR

/// Error messages about probes.
extension NetconvError {
  static func probeTooLarge(_ count: Int, _ type: ElementType) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(type.rawValue) represents integers up to \(type.largestExactIndex) only, but a kernel of the probe "
        + "has \(count) values; use another \(.elementType)")
  }

  static func probeOfIntegers(_ type: ElementType) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "a probe numbers positions, and \(type.rawValue) with a scale per channel does not represent every number; use "
        + "\(.elementType) float32, float16 or bfloat16")
  }

  static func probeFolderNotEmpty(_ name: String, force: Bool) -> NetconvError {
    NetconvError(
      .cannotCreate,
      text: force
        ? "holds \(quoted(name)) but no probe for \(.force) to replace; name another folder"
        : "is not empty (there is \(quoted(name))); name another folder, or replace a probe with \(.force)"
    )
  }

  static var notAProbe: NetconvError {
    NetconvError(.badData, "is not a probe of this netconv; write one with netconv probe DIR")
  }

  static func noProbe(beside path: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "there is no \(ProbeDocument.fileName) beside it or in the folder above; name the folder that netconv "
        + "probe wrote with \(.probeFolder)")
  }

  static func wrongAnswerLine(_ line: Int, _ what: String) -> NetconvError {
    NetconvError(
      .badData,
      "line \(line) \(what); expected {\"tensor\": NAME, \"shape\": [SIZE, …], \"values\": [NUMBER, …]}, with "
        + "\"layer\" and \"role\" instead of \"tensor\", or \"layer\" alone for the layer's output; shape "
        + "is optional"
    )
  }

  static func unknownAnswers(_ names: [String], known: [String]) -> NetconvError {
    NetconvError(
      .badData,
      names.count == 1
        ? "has an answer for \(quoted(names[0])), which the probe does not have; names are those of its "
          + "tensors, or of its layers for their outputs"
        : "has \(names.count) answers for names that the probe does not have; names are those of its tensors, or of "
          + "its layers for their outputs",
      details: (names.count == 1 ? [] : names.map { quoted($0) }) + [
        "known: " + known.joined(separator: ", ")
      ])
  }

  static func repeatedAnswer(_ name: String) -> NetconvError {
    NetconvError(.badData, "has two answers for \(quoted(name)), expected one")
  }

  static func incompleteAnswers(_ missing: [String], of what: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(missing.count) \(missing.count == 1 ? "answer is" : "answers are") missing; a check needs all \(what) "
        + "of the probe, so let your loader write these too",
      details: missing)
  }

  static func noAnswers() -> NetconvError {
    NetconvError(
      .badData,
      "has no answer; write what your loader read of every tensor, or the output of every layer, under their names"
    )
  }
}
