import ModelIR

// The kernels of a network: in its class or, if the network is large, in one struct per part.

extension MPSCNNNetworkSource {
  /// The contents of the class and its functions.
  struct Body {
    /// The properties of the class, except those that every network has.
    let properties: String
    /// The statements of the initialiser.
    let making: String
    /// The statements of `encode`.
    let encoding: String
    /// The declarations after the class.
    let parts: String

    init(_ plan: MPSCNNPlan, _ names: Names, _ inputs: Inputs, in name: PackageName) {
      let ranges = NetworkParts(
        reads: plan.steps.indices.map { plan.images(neededBy: $0).compactMap(plan.maker) },
        outputs: plan.outputs.compactMap(plan.maker))
      let statements = Statements(plan: plan, names: names, inputs: inputs, name: name)
      guard ranges.areSeveral else {
        let all = plan.steps.indices
        properties = statements.properties(all)
        making = statements.kernels(all, isInPart: false) + statements.making(all)
        encoding = statements.encoding(all, format: "Self.format")
        parts = ""
        return
      }
      let parts = ranges.ranges.enumerated().map { index, range in
        Part(number: index + 1, steps: range, statements)
      }
      properties = parts.map { "  private let \($0.constant): \($0.type)" }
        .joined(separator: "\n")
      making = parts.map {
        "    \($0.constant) = try \($0.type)(device: device, parameters: parameters)"
      }
      .joined(separator: "\n")
      encoding = parts.map(\.call).joined(separator: "\n")
      self.parts = parts.map { "\n\n" + $0.text }.joined()
    }
  }
}

// MARK: - Names

extension MPSCNNNetworkSource {
  /// The names of properties and constants.
  struct Names {
    /// The property of each step.
    let properties: [String]
    private let images: [MPSCNNStep.Source: String]

    /// Identifiers that the class or one of its functions uses.
    private static let taken: Set<String> = [
      "activations", "commandBuffer", "device", "encode", "format", "image", "images", "input",
      "inputs", "kernels", "output", "outputs", "parameters", "pictures", "predict", "queue",
      "sourceImage",
      "sourceImages", "storage", "values",
    ]

    init(_ plan: MPSCNNPlan) {
      let made = plan.steps.indices.map {
        index -> (source: MPSCNNStep.Source, preferredName: String) in
        let (step, source) = (plan.steps[index], plan.image(madeBy: index))
        if case .joined(let image) = source { return (source, plan.joined[image].layer) }
        return (source, step.result ?? step.layer + (step.suffix.isEmpty ? "Sums" : step.suffix))
      }
      let preferredNames =
        plan.steps.map { $0.layer + $0.suffix } + made.map { $0.preferredName + "Image" }
      let names = SwiftText.identifiers(
        preferredNames.map(SwiftText.camelCase),
        besides: plan.customLayers.isEmpty ? Self.taken : Self.taken.union(["customLayers"]))
      properties = Array(names.prefix(made.count))
      images = Dictionary(
        uniqueKeysWithValues: zip(made.map(\.source), names.dropFirst(made.count)))
    }

    /// The constant for the image that a step creates; empty for an input.
    func image(_ source: MPSCNNStep.Source) -> String { images[source] ?? "" }
  }
}

// MARK: - Parts

extension MPSCNNNetworkSource {
  /// A struct with the kernels of some consecutive steps.
  private struct Part {
    let number: Int
    let type: String
    /// The statement in the class's `encode` that runs the part.
    let call: String
    /// The source text of the struct.
    let text: String

    /// The name of the part's constant in the class.
    var constant: String { "part\(number)" }

    init(number: Int, steps: Range<Int>, _ statements: Statements) {
      self.number = number
      let (plan, names) = (statements.plan, statements.names)
      type = "\(statements.name)Part\(number)"
      let ends = PartEnds(
        of: steps, reads: plan.steps.indices.map(plan.images(neededBy:)),
        makes: plan.steps.indices.map(plan.image(madeBy:)), outputs: plan.outputs)
      let inputs = statements.inputs
      // Several inputs are passed as one array.
      var takes: [(name: String, type: String)] = []
      for source in ends.takes {
        let parameter = inputs.value(source) ?? (names.image(source), "MPSImage")
        if !takes.contains(where: { $0.name == parameter.name }) { takes.append(parameter) }
      }
      let gives = ends.gives.map(names.image)
      let results = gives.count == 1 ? gives[0] : "(\(gives.joined(separator: ", ")))"
      let resultTypes =
        gives.count == 1
        ? "MPSImage" : "(\(gives.map { _ in "MPSImage" }.joined(separator: ", ")))"
      let callsApp = plan.steps[steps].contains { $0.kernel.customFunction != nil }
      call = SwiftCall.text(
        "let \(results) = \(callsApp ? "try " : "")part\(number).encode",
        ["images", callsApp ? "customLayers" : nil] + takes.map(\.name), indent: 4)
      let head = SwiftCall.head(
        "func encode",
        [
          "_ images: \(statements.name)Images",
          callsApp ? "_ " + CustomLayers.parameter(in: statements.name) : nil,
        ] + takes.map { "_ \($0.name): \($0.type)" },
        "\(callsApp ? "throws " : "")-> \(resultTypes)", indent: 2)
      text = """
        /// \(Self.layers(plan.steps[steps]))
        private struct \(type) {
        \(statements.properties(steps))

          init(device: MTLDevice, parameters: \(statements.name)Parameters) throws {
        \(statements.kernels(steps, isInPart: true) + statements.making(steps))
          }

        \(head)
            let commandBuffer = images.commandBuffer

        \(statements.encoding(steps, format: "\(statements.name).format"))

            return \(results)
          }
        }
        """
    }

    /// A comment that names the first layer and the last.
    private static func layers(_ steps: ArraySlice<MPSCNNStep>) -> String {
      let names = [steps.first, steps.last].compactMap { $0.map { $0.result ?? $0.layer } }
      return "The layers from \(names.map { escaped($0) }.joined(separator: " to "))."
    }
  }
}

// MARK: - Statements

extension MPSCNNNetworkSource {
  /// The statements of some steps.
  private struct Statements {
    let plan: MPSCNNPlan
    let names: Names
    let inputs: Inputs
    let name: PackageName

    func properties(_ steps: Range<Int>) -> String {
      zip(names.properties[steps], plan.steps[steps]).filter { $1.kernel.customFunction == nil }
        .map { "  private let \($0): \($1.kernel.type(in: name))" }.joined(separator: "\n")
    }

    /// The constant that the initialisers of the steps need; empty if they need none.
    func kernels(_ steps: Range<Int>, isInPart: Bool) -> String {
      guard plan.steps[steps].contains(where: { $0.kernel.function != nil }) else {
        return isInPart ? "" : "\n"
      }
      return "    let kernels = \(name)Kernels(device: device, parameters: parameters)\n\n"
    }

    func making(_ steps: Range<Int>) -> String {
      steps.filter { plan.steps[$0].kernel.customFunction == nil }.map(making)
        .joined(separator: "\n")
    }

    /// - Parameter format: The expression for the format of images in this scope.
    func encoding(_ steps: Range<Int>, format: String) -> String {
      steps.map { encoding($0, format) }.joined(separator: "\n\n")
    }

    /// The statement that creates the kernel of a step, with its shapes in a comment above.
    private func making(_ index: Int) -> String {
      let step = plan.steps[index]
      let from = plan.shape(of: step.reads[0])
      let place = step.destination.map { destination in
        let last = destination.channel + step.shape.channels - 1
        return "Channels \(destination.channel) to \(last) of "
          + escaped(plan.joined[destination.image].layer) + "."
      }
      let comment = ["\(from) -> \(step.shape)", step.remark, place].compactMap(\.self)
      let property = names.properties[index]
      let arguments = step.kernel.arguments(layer: SwiftText.literal(step.layer), in: name)
      var settings = step.kernel.settings(property)
      if let channel = step.destination?.channel, channel > 0 {
        settings.append("\(property).destinationFeatureChannelOffset = \(channel)")
      }
      return comment.map { "    // " + $0 + "\n" }.joined()
        + SwiftCall.text("\(property) = \(step.kernel.maker(in: name))", arguments, indent: 4)
        + settings.map { "\n    " + $0 }.joined()
    }

    /// The statements that create the image of a step, if no other step has, and encode the kernel.
    private func encoding(_ index: Int, _ format: String) -> String {
      let step = plan.steps[index]
      let written = step.destination.map { MPSCNNStep.Source.joined($0.image) } ?? .step(index)
      let isMade = plan.image(madeBy: index) == written
      let reads = step.reads.map { inputs.image($0) ?? names.image($0) }
      let function =
        step.kernel.customFunction.map { "try customLayers." + $0 }
        ?? names.properties[index] + ".encode"
      let encode = SwiftCall.text(
        function,
        ["commandBuffer: commandBuffer"] + step.kernel.sources(reads)
          + ["destinationImage: \(names.image(written))"],
        indent: 4)
      return [isMade ? making(written, format) : nil, encode, keeping(step)]
        .compactMap(\.self).joined(separator: "\n")
    }

    /// The statement that creates an image.
    private func making(_ source: MPSCNNStep.Source, _ format: String) -> String {
      let shape = plan.shape(of: source)
      let sizes = [
        "height: \(shape.height)", "width: \(shape.width)", "channels: \(shape.channels)",
      ]
      let isKept = plan.outputs.contains(source) || plan.isOfApp(source)
      let readers = plan.readers(of: source)
      let reads = isKept || readers == 1 ? nil : "reads: \(readers)"
      var (layer, part): (String?, MPSCNNStep.Part) = (nil, .stored)
      switch source {
      case .input: break
      case .step(let step): (layer, part) = (plan.steps[step].result, plan.steps[step].part)
      case .joined(let image): layer = plan.joined[image].layer
      }
      guard let layer else {
        return SwiftCall.text(
          "let \(names.image(source)) = images.makePart",
          sizes + [part == .stored ? "format: \(format)" : nil, reads], indent: 4)
      }
      return SwiftCall.text(
        "let \(names.image(source)) = images.\(isKept ? "makeOutput" : "make")",
        [SwiftText.literal(layer)] + sizes + [reads], indent: 4)
    }

    /// The statement that records, for tests, which channels of a shared image belong to a layer.
    private func keeping(_ step: MPSCNNStep) -> String? {
      guard let destination = step.destination, let layer = step.result else { return nil }
      let channels = destination.channel..<destination.channel + step.shape.channels
      return SwiftCall.text(
        "images.keep",
        [
          SwiftText.literal(layer), "in: \(names.image(.joined(destination.image)))",
          "channels: \(channels)",
        ], indent: 4)
    }
  }
}
