import ModelIR

/// The network as a class: a property for each kernel, which is made in the initialiser and runs in `encode`.
struct MPSCNNNetworkSource {
  /// The class.
  let text: String

  /// The class of `plan`, made of `model`.
  init(_ plan: MPSCNNPlan, _ model: PackageModel) {
    text = Self.text(plan, Names(plan), model)
  }

  private static func text(
    _ plan: MPSCNNPlan, _ names: Names, _ model: PackageModel
  ) -> String {
    let name = model.name
    let usesKernels = plan.steps.contains { $0.kernel.function != nil }
    let inputs = Inputs(plan, in: name)
    let results = Results(plan, images: names.images, in: name)
    return """
      import MetalPerformanceShaders

      /// The network \(escaped(model.model.name)), as netconv has read it from \(escaped(model.source)).
      ///
      /// Shapes are (height, width, channels):
      ///
      \(overview(plan).map { "///     " + $0 }.joined(separator: "\n"))
      ///
      /// For one thread at a time, as its kernels are: threads that run at once need a network each.
      public final class \(name) {
        /// How images store values.
        public static let format = MPSImageFeatureChannelFormat.\(model.storesHalves ? "float16" : "float32")
        /// What goes in\(inputs.remark).
        public static let \(inputs.constant)
        /// What comes out\(results.order).
        public static let \(results.constant)

        \(model.takesPictures ? "" : "private ")let device: MTLDevice
        private let queue: MTLCommandQueue\(model.takesPictures ? "\n  /// The way of pictures into the network, which is made for the first.\n  var pictures: \(name)Pictures?" : "")
      \(zip(names.properties, plan.steps).map { "  private let \($0): \($1.kernel.type(in: name))" }.joined(separator: "\n"))

        /// Makes the kernels, which copy what they need of the weights.
        public init(device: MTLDevice, archive: \(name)Archive) throws {
          guard let queue = device.makeCommandQueue() else { throw \(name)Error("no command queue") }
          (self.device, self.queue) = (device, queue)
      \(usesKernels ? "    let kernels = \(name)Kernels(device: device, archive: archive)\n" : "")
      \(plan.steps.indices.map { making(plan, names, $0, in: name) }.joined(separator: "\n"))
        }

        /// Adds the network to a command buffer.
        ///
        /// - Parameters:
        ///   - \(inputs.description).\(inputs.readCount.map { "\n  ///     \($0)." } ?? "")
        ///   - activations: keeps what each layer gives, for tests.
        /// - Returns: \(results.description); `synchronize(on:)` has to follow before the CPU reads.
        public func encode(
          commandBuffer: MTLCommandBuffer, \(inputs.parameter), activations: \(name)Activations? = nil
        ) -> \(results.imageType) {
          let images = \(name)Images(commandBuffer: commandBuffer, activations: activations)

      \(plan.steps.indices.map { encoding(plan, names, inputs, $0) }.joined(separator: "\n\n"))

          return \(results.images)
        }

      \(predict(inputs, results, of: name))
      }
      """
  }

  /// What comes in and what each step gives.
  private static func overview(_ plan: MPSCNNPlan) -> [String] {
    PackageText.table(
      plan.inputs.map { ($0.input.name, $0.shape.description) }
        + plan.steps.compactMap { step in step.result.map { ($0, step.shape.description) } })
  }

  private static func predict(
    _ inputs: Inputs, _ results: Results, of name: PackageName
  ) -> String {
    """
      /// Runs the network on the CPU's values and waits: \(inputs.order).
      public func predict(
        _ values: \(inputs.valueType), activations: \(name)Activations? = nil
      ) throws -> \(results.valueType) {
    \(inputs.checking)
        // Command buffers and images that nobody needs any more are gone before the next run.
        return try autoreleasepool {
          guard let commandBuffer = queue.makeCommandBuffer() else {
            throw \(name)Error("no command buffer")
          }
    \(inputs.writing)
          activations?.images.removeAll()
          let \(results.constantName) = encode(
            commandBuffer: commandBuffer, \(inputs.argument), activations: activations)
          // On a Mac the CPU has a copy of its own of an image, which is brought up to date here.
          \(results.synchronizing)
          activations?.images.forEach { $0.image.synchronize(on: commandBuffer) }
          commandBuffer.commit()
          commandBuffer.waitUntilCompleted()
          if let error = commandBuffer.error { throw error }
          return \(results.reading)
        }
      }
    """
  }
}

// MARK: - Names

extension MPSCNNNetworkSource {
  /// What properties and constants are called, by step.
  private struct Names {
    let properties: [String]
    let images: [String]

    /// Words that the class or a function of it uses.
    private static let taken: Set<String> = [
      "activations", "archive", "commandBuffer", "device", "encode", "format", "image", "images",
      "input", "inputs", "kernels", "output", "outputs", "pictures", "predict", "queue",
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

// MARK: - Statements

extension MPSCNNNetworkSource {
  /// The statement that makes the kernel of a step, with its shapes above it.
  private static func making(
    _ plan: MPSCNNPlan, _ names: Names, _ index: Int, in name: PackageName
  ) -> String {
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
  private static func encoding(
    _ plan: MPSCNNPlan, _ names: Names, _ inputs: Inputs, _ index: Int
  ) -> String {
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
          step.part == .stored ? "format: Self.format" : nil,
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
