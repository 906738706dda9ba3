/// The readers of each value of a graph.
///
/// Readers are indexed in the order in which they run. A reader that reads a value twice counts once.
package struct ValueReaders<Value: Hashable & Sendable>: Sendable {
  private var readers: [Value: [Int]] = [:]

  /// Creates the readers of a graph whose nodes read `inputs`, one list per node.
  package init(of inputs: some Sequence<some Sequence<Value>>) {
    for (reader, values) in inputs.enumerated() {
      for value in values where readers[value]?.last != reader {
        readers[value, default: []].append(reader)
      }
    }
  }

  /// The readers of `value`, in ascending order.
  package subscript(value: Value) -> [Int] { readers[value] ?? [] }

  /// Returns the last reader of `value` in execution order; `nil` if there is none.
  package func last(of value: Value) -> Int? { readers[value]?.last }
}
