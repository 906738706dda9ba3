import ModelIR

// The statements that build the graph: in the initialiser or, for a large network, in one function
// per part.

extension MPSGraphNetworkSource {
  /// The contents of the initialiser and its functions.
  struct Body {
    /// The statement that creates the layer functions; empty if the network needs none.
    let layers: String
    /// The statements that add the layers to the graph.
    let building: String
    /// The tensors of the layers' outputs.
    let tensors: String
    /// The declarations after the class.
    let parts: String

    init(_ plan: MPSGraphPlan, _ model: PackageModel) {
      let name = model.name
      let statements = Statements(all: plan.statements, storesHalves: model.storesHalves)
      let making = "    let layers = \(name)Layers(graph: graph, parameters: parameters)\n\n"
      let callsLayers = !plan.helpers(storesHalves: model.storesHalves).isEmpty
      layers = callsLayers ? making : "\n"
      let ranges = NetworkParts(
        reads: statements.sources, outputs: statements.indices(of: plan.outputs.map(\.name)))
      guard ranges.areSeveral else {
        let all = plan.statements.indices
        building = statements.text(all)
        tensors = "[\n\(statements.layers(all))    ]"
        parts = ""
        return
      }
      let parts = ranges.ranges.enumerated().map { index, range in
        Part(
          number: index + 1, steps: range, statements, outputs: plan.outputs,
          layers: callsLayers ? "\(name)Layers" : nil, custom: CustomLayers.parameter(in: name))
      }
      building =
        "    var all: [(layer: String, tensor: MPSGraphTensor)] = []\n"
        + parts.map(\.call).joined(separator: "\n")
      tensors = "all"
      self.parts =
        "\n\n// MARK: - Layers\n\nextension \(name) {\n"
        + parts.map(\.text).joined(separator: "\n\n") + "\n}"
    }
  }
}

extension MPSGraphNetworkSource {
  /// A function that adds some consecutive layers.
  private struct Part {
    /// The statement of the initialiser that calls the function.
    let call: String
    /// The source text of the function.
    let text: String

    /// - Parameters:
    ///   - layers: The type with the layer functions; `nil` if the network needs none.
    ///   - custom: The parameter for custom layers, which not every part needs.
    init(
      number: Int, steps: Range<Int>, _ statements: Statements, outputs: [MPSGraphPlan.Value],
      layers: String?, custom: String
    ) {
      let ends = PartEnds(
        of: steps, reads: statements.all.map(\.reads), makes: statements.all.map(\.constant),
        outputs: outputs.map(\.name))
      let (takes, gives) = (ends.takes, ends.gives)
      let results = gives.count == 1 ? gives[0] : "(\(gives.joined(separator: ", ")))"
      let types = gives.map { _ in "MPSGraphTensor" }.joined(separator: ", ")
      let callsApp = statements.all[steps].contains { $0.call.helpers.contains(.checked) }
      call = SwiftCall.text(
        "let \(results) = try Self.part\(number)",
        ["graph", layers.map { _ in "layers" }, callsApp ? "customLayers" : nil] + takes
          + ["&all"],
        indent: 4)
      let head = SwiftCall.head(
        "private static func part\(number)",
        ["_ graph: MPSGraph", layers.map { "_ layers: \($0)" }, callsApp ? "_ " + custom : nil]
          + takes.map { "_ \($0): MPSGraphTensor" }
          + ["_ all: inout [(layer: String, tensor: MPSGraphTensor)]"],
        "throws -> " + (gives.count == 1 ? types : "(\(types))"), indent: 2)
      text = """
          /// \(Self.layers(statements.all[steps]))
        \(head)
        \(statements.text(steps))

            all += [
        \(statements.layers(steps))    ]
            return \(results)
          }
        """
    }

    /// A comment that names the first and the last layer.
    private static func layers(_ statements: ArraySlice<MPSGraphStatement>) -> String {
      let names = statements.compactMap(\.layer)
      let ends = [names.first, names.last].compactMap { $0.map { escaped($0) } }
      return "The layers from \(ends.joined(separator: " to "))."
    }
  }

  /// The statements that add layers to the graph.
  private struct Statements {
    let all: [MPSGraphStatement]
    let storesHalves: Bool

    /// The indices of the statements that each statement reads.
    var sources: [[Int]] {
      let places = Dictionary(
        uniqueKeysWithValues: zip(all.map(\.constant), all.indices))
      return all.map { $0.reads.compactMap { places[$0] } }
    }

    /// The indices of the statements that create `constants`.
    func indices(of constants: [String]) -> [Int] {
      constants.compactMap { name in all.firstIndex { $0.constant == name } }
    }

    func text(_ steps: Range<Int>) -> String {
      all[steps].map { statement in
        statement.comment.map { "    // \($0)\n" }.joined()
          + statement.text(storesHalves: storesHalves, indent: 4)
      }.joined(separator: "\n")
    }

    /// Array elements such as `("conv1", conv1)`, each on its own line.
    func layers(_ steps: Range<Int>) -> String {
      all[steps].compactMap { statement in
        statement.layer.map { "      (\(SwiftText.literal($0)), \(statement.constant)),\n" }
      }.joined()
    }
  }
}
