/// The readers of each value of a graph.
///
/// Readers are numbered in the order in which they run. One that reads a value twice counts once.
package struct ValueReaders<Value: Hashable & Sendable>: Sendable {
  private var readers: [Value: [Int]] = [:]

  /// The readers in a graph whose nodes read `inputs`, each list those of one node.
  package init(of inputs: some Sequence<some Sequence<Value>>) {
    for (reader, values) in inputs.enumerated() {
      for value in values where readers[value]?.last != reader {
        readers[value, default: []].append(reader)
      }
    }
  }

  /// The readers of `value`, in ascending order.
  package subscript(value: Value) -> [Int] { readers[value] ?? [] }

  /// The reader that runs last of those of `value`; `nil` if there is none.
  package func last(of value: Value) -> Int? { readers[value]?.last }
}
