import Files
import ModelIR
import Pickles

/// Reads the pickle that `bytes` are.
@discardableResult
func readPickle(
  _ bytes: [UInt8], limits: PickleLimits = PickleLimits()
) throws(NetconvError) -> Pickle {
  let output = try OutputFile.temporary()
  try output.write(bytes, at: 0)
  return try Pickle(
    RandomAccessFile(reading: output, as: "input"), in: 0..<bytes.count, limits: limits)
}

/// A value as Python would show it, as far as pickles without calls go.
func shown(_ value: PickleValue, in pickle: Pickle) throws -> String {
  switch value {
  case .none: return "None"
  case .bool(let value): return value ? "True" : "False"
  case .integer(let value): return String(value)
  case .wideInteger: return "wide"
  case .float(let value): return value.description
  case .text(let value): return "'\(value)'"
  case .bytes:
    switch pickle.bytes(of: value) {
    case .memory(let bytes)?: return "b\(bytes)"
    case .place(let range)?:
      return "b\(try pickle.file.bytes(at: range.lowerBound, count: range.count))"
    case nil: return "?"
    }
  case .object: break
  }
  guard let object = pickle[value] else { return "?" }
  func list(_ values: [PickleValue]) throws -> String {
    try values.map { try shown($0, in: pickle) }.joined(separator: ", ")
  }
  switch object.kind {
  case .list: return "[\(try list(object.elements))]"
  case .tuple: return "(\(try list(object.elements)))"
  case .set: return "{\(try list(object.elements))}"
  case .frozenSet: return "frozenset(\(try list(object.elements)))"
  case .dictionary:
    let items = try pickle.items(of: object).map {
      "\(try shown($0.key, in: pickle)): \(try shown($0.value, in: pickle))"
    }
    return "{\(items.joined(separator: ", "))}"
  case .global(let place): return pickle.names[place].path
  case .registered(let code): return "extension \(code)"
  case .persistent: return "persistent(\(try list(object.elements)))"
  case .call(let callee, let arguments):
    var text = "\(try shown(callee, in: pickle))(\(try list(arguments)))"
    if !object.elements.isEmpty { text += "[\(try list(object.elements))]" }
    if !object.pairs.isEmpty { text += "{\(try list(object.pairs))}" }
    if let state = object.state { text += "<\(try shown(state, in: pickle))>" }
    return text
  }
}
