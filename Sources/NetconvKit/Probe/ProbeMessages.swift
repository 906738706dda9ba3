import ModelIR

/// Error messages about probes.
extension NetconvError {
  static func probeTooLarge(_ count: Int, _ type: ElementType) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(type.rawValue) holds whole numbers up to \(type.largestExactIndex) only, and a kernel of the probe "
        + "has \(count) values; use another \(.elementType)")
  }

  static func probeOfIntegers(_ type: ElementType) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "a probe numbers places, and \(type.rawValue) with the scale of a channel does not hold every number; use "
        + "\(.elementType) float32, float16 or bfloat16")
  }

  static func probeFolderNotEmpty(_ name: String, force: Bool) -> NetconvError {
    NetconvError(
      .cannotCreate,
      text: force
        ? "holds \(quoted(name)) and no probe, which \(.force) could replace; name another folder"
        : "is not empty (there is \(quoted(name))); name another folder, or replace a probe with \(.force)"
    )
  }

  static var notAProbe: NetconvError {
    NetconvError(.badData, "is no probe of this netconv; write one with netconv probe DIR")
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
        + "\"layer\" and \"role\" in the place of \"tensor\", or \"layer\" alone for what the layer gives; shape "
        + "can be left out"
    )
  }

  static func unknownAnswers(_ names: [String], known: [String]) -> NetconvError {
    NetconvError(
      .badData,
      names.count == 1
        ? "has an answer for \(quoted(names[0])), which the probe does not have; names are those of its "
          + "tensors, or of its layers for what they give"
        : "has \(names.count) answers for what the probe does not have; names are those of its tensors, or of "
          + "its layers for what they give",
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
      "has no answer; write what your loader saw of every tensor, or what every layer gives, under their names"
    )
  }
}
