import Datasets
import Documents
import Files
import ModelIR

/// What somebody's loader saw of a probe: by the names of tensors, and of layers for what they give.
struct ProbeAnswers {
  private(set) var tensors: [String: [Float]] = [:]
  private(set) var outputs: [String: [Float]] = [:]
  private var unknown: [String] = []
  private let probe: ProbeDocument

  /// Reads an `.npz`, or JSON lines.
  ///
  /// - Throws: `cannotOpen`, or `badData` if it is neither, names what the probe does not have, or lacks something.
  init(_ path: String, for probe: ProbeDocument) throws(NetconvError) {
    self.probe = probe
    do throws(NetconvError) {
      let file = try RandomAccessFile(path: path)
      if try file.prefix(2) == Array("PK".utf8) {
        for (name, array) in try NumpyArchive.read(path) { try add(array.values, called: name) }
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
      else { throw .wrongAnswerLine(number, "is no JSON object") }
      if let key = members.keys.sorted().first(where: {
        !["layer", "role", "tensor", "values"].contains($0)
      }) {
        throw .wrongAnswerLine(number, "has the key \(quoted(key))")
      }
      guard let values = answer["values"]?.array?.map(\.double), !values.contains(nil) else {
        throw .wrongAnswerLine(number, "has no list of numbers \"values\"")
      }
      guard let name = name(answer) else {
        throw .wrongAnswerLine(number, "does not say of what the values are")
      }
      try add(values.map { Float($0 ?? 0) }, called: name)
    }
  }

  /// The name of the tensor or layer that a line is about.
  private func name(_ answer: JSONValue) -> String? {
    if let tensor = answer["tensor"]?.string { return tensor }
    guard let layer = answer["layer"]?.string else { return nil }
    guard let role = answer["role"]?.string else { return layer }
    return probe.tensors.first { $0.layer == layer && $0.role == role }?.name ?? "\(layer) \(role)"
  }

  private mutating func add(_ values: [Float], called name: String) throws(NetconvError) {
    if probe.tensors.contains(where: { $0.name == name }) {
      guard tensors.updateValue(values, forKey: name) == nil else { throw .repeatedAnswer(name) }
    } else if probe.outputs.contains(where: { $0.name == name }) {
      guard outputs.updateValue(values, forKey: name) == nil else { throw .repeatedAnswer(name) }
    } else if !probe.inputs.contains(where: { $0.name == name }) {
      unknown.append(name)
    }
  }

  /// All tensors have to be there if one is, and else all layers.
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
