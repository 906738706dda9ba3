import ModelIR

// Building models of whole graphs, shared by all graph formats.

/// A graph node that refers to its inputs and outputs by name.
protocol NamedGraphNode {
  /// The node's name in errors and layers.
  var name: String { get }
  /// The names of the inputs; `""` for an omitted optional input.
  var inputs: [String] { get }
  /// The names of the outputs; `""` for an unused output.
  var outputs: [String] { get }
  /// The names of all values that the node may read: its inputs, and what its branches read.
  var dependencies: [String] { get }
}

extension NamedGraphNode {
  var dependencies: [String] { inputs }
}

extension [any NamedGraphNode] {
  /// Returns the indices of the nodes that the outputs depend on, in file order.
  ///
  /// - Throws: `badData` if two nodes have an output with the same name, or a node precedes one of its inputs.
  func needed(
    for outputs: [String], stoppingAt feeds: Set<String>
  ) throws(NetconvError) -> [Int] {
    var makers: [String: Int] = [:]
    for (index, node) in enumerated() {
      for output in node.outputs where !output.isEmpty {
        guard makers.updateValue(index, forKey: output) == nil else {
          throw .duplicateValue(output)
        }
      }
    }
    var needed: Set<Int> = []
    var waiting = outputs
    while let value = waiting.popLast() {
      guard !feeds.contains(value), let maker = makers[value], needed.insert(maker).inserted else {
        continue
      }
      for input in self[maker].dependencies {
        guard makers[input] ?? -1 < maker || feeds.contains(input) else {
          throw NetconvError.unknownValue(input).inLayer(self[maker].name)
        }
        waiting.append(input)
      }
    }
    return needed.sorted()
  }
}

extension GraphBuilder {
  /// Reads a graph with a batch of samples, or as a single sample if it has no batch of independent samples.
  ///
  /// - Parameters:
  ///   - inputs: The sizes of each input; `nil` for dynamic sizes.
  ///   - read: Builds the model; `isWhole` is true if each input is a single sample without a batch axis.
  static func read<Found>(
    _ inputs: [[Int?]], _ read: (_ isWhole: Bool) throws(NetconvError) -> Found
  ) throws(NetconvError) -> Found {
    guard inputs.allSatisfy({ !$0.contains(nil) }) else { return try read(false) }
    guard inputs.allSatisfy({ $0.count != 1 }) else { return try read(true) }
    do throws(NetconvError) {
      return try read(false)
    } catch {
      // A fixed-size batch whose samples depend on each other is read as a single sample.
      guard let whole = try? read(true) else { throw error }
      return whole
    }
  }

  /// Maps a node, and stores the results by the names of its outputs.
  ///
  /// - Parameters:
  ///   - name: The name for the node's layers.
  ///   - inputs: The inputs; `nil` for an omitted optional input.
  mutating func map(
    _ node: some NamedGraphNode, called name: String, _ operation: String,
    reading inputs: [GraphResult?], into values: inout [String: GraphResult],
    _ build: (inout GraphBuilder) throws(NetconvError) -> [GraphResult]
  ) -> [GraphResult] {
    let results = results(ofNode: name, operation, reading: inputs.compactMap(\.self), build)
    for (index, output) in node.outputs.enumerated() where !output.isEmpty {
      if results.count == 1, case .problem = results[0] {
        values[output] = results[0]
      } else if results.indices.contains(index) {
        values[output] = results[index]
      } else {
        values[output] = .problem(
          GraphProblem(NetconvError.noSuchOutput(index).inNode(name, operation)))
      }
    }
    return results
  }

  /// Builds the model with the given outputs, and the notes on it.
  ///
  /// Constant outputs are omitted.
  /// - Throws: `badData` with all unsupported nodes, or if all outputs are constant.
  mutating func model(
    called name: String, giving outputs: [(name: String, result: GraphResult?)],
    naming: @escaping GraphAssembly.VariableNaming
  ) throws(NetconvError) -> (model: Model, notes: [SourceNote]) {
    var given: [(name: String, value: GraphValue)] = []
    for (name, result) in outputs {
      switch result {
      case .value(let value):
        do throws(NetconvError) {
          given.append((name, try output(value)))
        } catch {
          throw .unreadNodes([error.inLayer(name)])
        }
      case .problem(let problem): throw .unreadNodes(problem.errors)
      default: note(.constantOutput, at: name)
      }
    }
    guard !given.isEmpty else { throw .constantOutput(outputs.first?.name ?? "") }
    let assembly = try GraphAssembly(self, outputs: given.map(\.value), naming: naming)
    let model = try assembly.model(called: name)
    var notes = self.notes.sourceNotes
    if let renamed = SourceNote.outputs(given.map(\.name), as: model.outputs) {
      notes.append(renamed)
    }
    return (model, notes)
  }
}

extension NetconvError {
  fileprivate static func duplicateValue(_ name: String) -> NetconvError {
    NetconvError(.badData, "two nodes, inputs or initializers are called \(quoted(name))")
  }
}
