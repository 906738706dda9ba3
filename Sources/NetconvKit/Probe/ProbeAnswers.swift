import Datasets
import Diagnosis
import Documents
import Files
import ModelIR

/// The values that a loader read from a probe, by the names of tensors, of inputs, and of layers for their outputs.
package struct ProbeAnswers {
  package private(set) var tensors: [String: ReportedArray] = [:]
  package private(set) var inputs: [String: ReportedArray] = [:]
  package private(set) var outputs: [String: ReportedArray] = [:]
  private var unknown: [String] = []
  private let probe: ProbeDocument

  /// Reads an `.npz` file, or JSON lines.
  ///
  /// - Throws: `cannotOpen`, or `badData` if the file is neither, contains names that the probe does not have, or
  ///   lacks values.
  package init(_ path: String, for probe: ProbeDocument) throws(NetconvError) {
    self.probe = probe
    do throws(NetconvError) {
      let file = try RandomAccessFile(path: path)
      if try file.prefix(2) == Array("PK".utf8) {
        for (name, array) in try NumpyArchive.read(path) {
          try add(ReportedArray(array.values, shape: array.shape), called: name)
        }
      } else {
        try readLines(try file.contents(limit: JSONDocument.sizeLimit))
      }
      try check()
    } catch {
      throw error.inFile(path)
    }
  }

  private mutating func readLines(_ bytes: [UInt8]) throws(NetconvError) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated()
    where line.contains(where: { $0 != 0x20 && $0 != 0x0d && $0 != 0x09 }) {
      let number = index + 1
      guard let answer = try? JSONDocument.parse(Array(line)), case .object(let members) = answer
      else { throw .wrongAnswerLine(number, "is not a JSON object") }
      if let key = members.keys.sorted().first(where: { !Self.keys.contains($0) }) {
        throw .wrongAnswerLine(number, "has the key \(quoted(key))")
      }
      let name = try name(answer, number)
      try add(try array(answer, called: name, number), called: name)
    }
  }

  private static let keys: Set<String> = ["layer", "role", "tensor", "values", "shape", "layout"]

  private func array(
    _ answer: JSONValue, called name: String, _ number: Int
  ) throws(NetconvError) -> ReportedArray {
    guard let values = answer["values"]?.array?.map(\.double), !values.contains(nil) else {
      throw .wrongAnswerLine(number, "has no list of numbers \"values\"")
    }
    let shape = answer["shape"]?.array?.map(\.int)
    if answer["shape"] != nil {
      guard let shape, !shape.contains(nil), shape.allSatisfy({ $0 ?? -1 >= 0 }) else {
        throw .wrongAnswerLine(number, "has a \"shape\" that is not a list of sizes")
      }
      let sizes = shape.compactMap(\.self)
      guard (try? product(sizes)) == values.count else {
        throw .wrongAnswerLine(
          number, "has the shape \(Shape(sizes)) and \(values.count) values, which do not fit it")
      }
    }
    return ReportedArray(
      values.map { Float($0 ?? 0) }, shape: shape?.compactMap(\.self),
      layout: try layout(answer, of: name, number))
  }

  /// Returns the order of axes that a line states.
  private func layout(
    _ answer: JSONValue, of name: String, _ number: Int
  ) throws(NetconvError) -> Layout? {
    guard let stated = answer["layout"] else { return nil }
    guard let order = probe.order(of: name) else { return nil }
    let axes = Set(order.layout.axes.filter { order.sizes[$0] ?? 1 > 1 })
    guard let layout = stated.string.flatMap({ Layout($0) }),
      axes == Set(layout.axes.filter { order.sizes[$0] ?? 1 > 1 })
    else {
      throw .wrongAnswerLine(
        number, "has the layout \(stated), and \(quoted(name)) has \(order.layout)")
    }
    return layout
  }

  /// Returns the name of the tensor or layer of a line.
  private func name(_ answer: JSONValue, _ number: Int) throws(NetconvError) -> String {
    let names = ["tensor", "layer", "role"].map { ($0, answer[$0]) }
    if let (key, _) = names.first(where: { $1 != nil && $1?.string == nil }) {
      throw .wrongAnswerLine(number, "has a \"\(key)\" that is not a string")
    }
    switch (answer["tensor"]?.string, answer["layer"]?.string, answer["role"]?.string) {
    case (let tensor?, nil, nil), (nil, let tensor?, nil): return tensor
    case (nil, let layer?, let role?):
      return probe.tensors.first { $0.layer == layer && $0.role == role }?.name
        ?? "\(layer) \(role)"
    case (nil, nil, _): throw .wrongAnswerLine(number, "does not name a tensor or a layer")
    default: throw .wrongAnswerLine(number, "names both a tensor and a layer")
    }
  }

  private mutating func add(_ array: ReportedArray, called name: String) throws(NetconvError) {
    if probe.tensors.contains(where: { $0.name == name }) {
      guard tensors.updateValue(array, forKey: name) == nil else { throw .repeatedAnswer(name) }
    } else if probe.outputs.contains(where: { $0.name == name }) {
      guard outputs.updateValue(array, forKey: name) == nil else { throw .repeatedAnswer(name) }
    } else if probe.inputs.contains(where: { $0.name == name }) {
      guard inputs.updateValue(array, forKey: name) == nil else { throw .repeatedAnswer(name) }
    } else {
      unknown.append(name)
    }
  }

  /// Checks that all tensors are present if one is, and otherwise all layers.
  private func check() throws(NetconvError) {
    guard unknown.isEmpty else {
      throw .unknownAnswers(unknown, known: (probe.tensors.map(\.name) + probe.outputs.map(\.name)))
    }
    guard !tensors.isEmpty || !outputs.isEmpty else { throw .noAnswers() }
    if tensors.isEmpty {
      let missing = probe.outputs.map(\.name).filter { outputs[$0] == nil }
      if !missing.isEmpty { throw .incompleteAnswers(missing, of: "layers") }
    } else {
      let missing = probe.tensors.filter { tensors[$0.name] == nil }
        .map { "\($0.name), the \($0.role) of \($0.layer): \($0.values.count) values" }
      if !missing.isEmpty { throw .incompleteAnswers(missing, of: "tensors") }
    }
  }
}

extension NetconvError {
  fileprivate static func wrongAnswerLine(_ line: Int, _ what: String) -> NetconvError {
    NetconvError(
      .badData,
      "line \(line) \(what); expected {\"tensor\": NAME, \"shape\": [SIZE, …], \"values\": [NUMBER, …]}, with "
        + "\"layer\" and \"role\" instead of \"tensor\", or \"layer\" alone for the layer's output; shape "
        + "is optional"
    )
  }

  fileprivate static func unknownAnswers(_ names: [String], known: [String]) -> NetconvError {
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

  fileprivate static func repeatedAnswer(_ name: String) -> NetconvError {
    NetconvError(.badData, "has two answers for \(quoted(name)), expected one")
  }

  fileprivate static func incompleteAnswers(_ missing: [String], of what: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(missing.count) \(missing.count == 1 ? "answer is" : "answers are") missing; a check needs all \(what) "
        + "of the probe, so let your loader write these too",
      details: missing)
  }

  fileprivate static func noAnswers() -> NetconvError {
    NetconvError(
      .badData,
      "has no answer; write what your loader read of every tensor, or the output of every layer, under their names"
    )
  }
}
