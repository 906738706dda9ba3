import ModelIR

// The kernels of a network: in the class, or of a large network in structs of a part each.

extension MPSCNNNetworkSource {
  /// What the class and its functions consist of.
  struct Body {
    /// The properties of the class, besides those that every network has.
    let properties: String
    /// What the initialiser does.
    let making: String
    /// What `encode` does.
    let encoding: String
    /// What stands behind the class.
    let parts: String

    init(_ plan: MPSCNNPlan, _ names: Names, _ inputs: Inputs, in name: PackageName) {
      let reads = plan.steps.map { $0.reads.compactMap(\.step) }
      let ranges = NetworkParts(reads: reads, outputs: plan.outputs)
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
  /// What properties and constants are called, by step.
  struct Names {
    let properties: [String]
    let images: [String]

    /// Words that the class or a function of it uses.
    private static let taken: Set<String> = [
      "activations", "commandBuffer", "device", "encode", "format", "image", "images", "input",
      "inputs", "kernels", "output", "outputs", "parameters", "pictures", "predict", "queue",
      "sourceImage",
      "sourceImages", "values",
    ]

    init(_ plan: MPSCNNPlan) {
      let wishes =
        plan.steps.map { $0.layer + $0.suffix }
        + plan.steps.map {
          ($0.result ?? $0.layer + ($0.suffix.isEmpty ? "Sums" : $0.suffix)) + "Image"
        }
      let names = SwiftText.identifiers(wishes.map(SwiftText.camelCase), besides: Self.taken)
      properties = Array(names.prefix(plan.steps.count))
      images = Array(names.dropFirst(plan.steps.count))
    }
  }
}

// MARK: - Parts

extension MPSCNNNetworkSource {
  /// A struct with the kernels of some consecutive steps.
  private struct Part {
    let number: Int
    let type: String
    /// The statement of the class's `encode` that runs it.
    let call: String
    /// The struct.
    let text: String

    /// What the class calls it.
    var constant: String { "part\(number)" }

    init(number: Int, steps: Range<Int>, _ statements: Statements) {
      self.number = number
      let (plan, names) = (statements.plan, statements.names)
      type = "\(statements.name)Part\(number)"
      let ends = PartEnds(
        of: steps, reads: plan.steps.map(\.reads),
        makes: plan.steps.indices.map(MPSCNNStep.Source.step),
        outputs: plan.outputs.map(MPSCNNStep.Source.step))
      let inputs = statements.inputs
      // Several inputs are one array.
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
      call = SwiftCall.text(
        "let \(results) = part\(number).encode", ["images"] + takes.map(\.name), indent: 4)
      let head = SwiftCall.head(
        "func encode",
        ["_ images: \(statements.name)Images"] + takes.map { "_ \($0.name): \($0.type)" },
        "-> \(resultTypes)", indent: 2)
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

extension MPSCNNNetworkSource.Names {
  /// The constant with an image that a step has written.
  fileprivate func image(_ source: MPSCNNStep.Source) -> String {
    source.step.map { images[$0] } ?? ""
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
      zip(names.properties[steps], plan.steps[steps])
        .map { "  private let \($0): \($1.kernel.type(in: name))" }.joined(separator: "\n")
    }

    /// What the steps need to be made, if they need it.
    func kernels(_ steps: Range<Int>, isInPart: Bool) -> String {
      guard plan.steps[steps].contains(where: { $0.kernel.function != nil }) else {
        return isInPart ? "" : "\n"
      }
      return "    let kernels = \(name)Kernels(device: device, parameters: parameters)\n\n"
    }

    func making(_ steps: Range<Int>) -> String {
      steps.map(making).joined(separator: "\n")
    }

    /// - Parameter format: how the format of images is called there.
    func encoding(_ steps: Range<Int>, format: String) -> String {
      steps.map { encoding($0, format) }.joined(separator: "\n\n")
    }

    /// The statement that makes the kernel of a step, with its shapes above it.
    private func making(_ index: Int) -> String {
      let step = plan.steps[index]
      let from = plan.shape(of: step.reads[0])
      let comment = ["\(from) -> \(step.shape)", step.remark].compactMap(\.self)
      let property = names.properties[index]
      let arguments = step.kernel.arguments(layer: SwiftText.literal(step.layer), in: name)
      return comment.map { "    // " + $0 + "\n" }.joined()
        + SwiftCall.text("\(property) = \(step.kernel.maker(in: name))", arguments, indent: 4)
        + step.kernel.settings(property).map { "\n    " + $0 }.joined()
    }

    /// The statements that make the image of a step and write it.
    private func encoding(_ index: Int, _ format: String) -> String {
      let step = plan.steps[index]
      let sizes = [
        "height: \(step.shape.height)", "width: \(step.shape.width)",
        "channels: \(step.shape.channels)",
      ]
      let readers = plan.readers(of: .step(index))
      let image: String
      if let result = step.result {
        let isOutput = plan.outputs.contains(index)
        image = SwiftCall.text(
          "let \(names.images[index]) = images.\(isOutput ? "makeOutput" : "make")",
          [SwiftText.literal(result)] + sizes + [
            isOutput || readers == 1 ? nil : "reads: \(readers)"
          ],
          indent: 4)
      } else {
        image = SwiftCall.text(
          "let \(names.images[index]) = images.makePart",
          sizes + [
            step.part == .stored ? "format: \(format)" : nil,
            readers == 1 ? nil : "reads: \(readers)",
          ], indent: 4)
      }
      let reads = step.reads.map { source in
        switch source {
        case .input(let index): inputs.image(index)
        case .step(let index): names.images[index]
        }
      }
      let encode = SwiftCall.text(
        "\(names.properties[index]).encode",
        ["commandBuffer: commandBuffer"] + step.kernel.sources(reads)
          + ["destinationImage: \(names.images[index])"],
        indent: 4)
      return image + "\n" + encode
    }
  }
}
