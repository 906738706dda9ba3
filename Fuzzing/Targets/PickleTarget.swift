import ModelIR
import Pickles

/// A Python pickle, parsed as inert values.
enum PickleTarget: FuzzTarget {
  static let name = "pickle"

  static func parse(_ bytes: [UInt8]) throws {
    let pickle = try Pickle(openFile(bytes), in: 0..<bytes.count)
    try hold(pickle.range.upperBound <= bytes.count, "the pickle goes on behind the file")
    try hold(pickle.objects.count <= bytes.count, "there are more objects than operations")
    var count = 0
    try check(pickle.root, in: pickle, &count)
    for object in pickle.objects {
      for value in object.elements + object.pairs { try check(value, in: pickle, &count) }
      if let state = object.state { try check(state, in: pickle, &count) }
      try hold(object.pairs.count.isMultiple(of: 2), "a key has no value")
      _ = pickle.items(of: object)
    }
    // Each stored value was pushed on the stack by its own operation.
    try hold(count <= 2 * bytes.count, "there are more values than operations")
    for case .place(let range) in pickle.byteStrings {
      try hold(range.upperBound <= bytes.count, "bytes lie behind the file")
    }
    try hold(
      pickle.calls.allSatisfy { $0.count > 0 && $0.offset < bytes.count },
      "a call is nowhere in the file")
  }

  private static func check(
    _ value: PickleValue, in pickle: Pickle, _ count: inout Int
  ) throws(BrokenRule) {
    count += 1
    switch value {
    case .object(let index):
      try hold(pickle.objects.indices.contains(index), "a value is an object that is not there")
    case .bytes(let index):
      try hold(pickle.byteStrings.indices.contains(index), "a value is bytes that are not there")
    case .none, .bool, .integer, .wideInteger, .float, .text: break
    }
  }
}
