import ModelIR

/// The network as a class: a property for each kernel, which is made in the initialiser and runs in `encode`.
struct MPSCNNNetworkSource {
  /// The class, with `NAME` for its name.
  let text: String
  /// The images, with what this network needs of them.
  let imagesText: String
  /// The functions that make kernels, if there are any.
  let kernelsText: String?
  /// Whether anything reads kernels and biases.
  let hasWeights: Bool
  /// Whether anything reads the numbers of a normalisation.
  let hasNormalizations: Bool

  /// The class of `plan`, made of the model called `model`, which was read from `source`.
  init(_ plan: MPSCNNPlan, model: String, source: String, storesHalves: Bool) {
    let names = Names(plan)
    let made = plan.steps.map(\.kernel.function)
    hasWeights = plan.steps.contains { $0.kernel.readsWeights }
    hasNormalizations = plan.steps.contains { $0.kernel.type == "MPSCNNBatchNormalization" }
    let functions = [
      ("convolution", MPSCNNTemplates.convolution),
      ("depthwiseConvolution", MPSCNNTemplates.depthwise),
      ("fullyConnected", MPSCNNTemplates.fullyConnected),
      ("maxPooling", MPSCNNTemplates.maxPooling),
      ("averagePooling", MPSCNNTemplates.averagePooling),
    ].filter { made.contains($0.0) }.map(\.1)
    kernelsText =
      functions.isEmpty
      ? nil : MPSCNNTemplates.kernels + "\n" + functions.joined(separator: "\n") + "}"
    let hasSums = plan.steps.contains { $0.result == nil }
    imagesText =
      MPSCNNTemplates.images + (hasSums ? "\n" + MPSCNNTemplates.sums : "") + "}\n\n"
      + MPSCNNTemplates.activations
    text = Self.text(
      plan, names, model: model, source: source, storesHalves: storesHalves,
      usesKernels: kernelsText != nil)
  }

  private static func text(
    _ plan: MPSCNNPlan, _ names: Names, model: String, source: String, storesHalves: Bool,
    usesKernels: Bool
  ) -> String {
    let output = plan.steps[plan.output].shape
    return """
      import MetalPerformanceShaders

      /// The network \(escaped(model)), as netconv has read it from \(escaped(source)).
      ///
      /// Shapes are (height, width, channels):
      ///
      \(overview(plan).map { "///     " + $0 }.joined(separator: "\n"))
      public final class NAME {
        /// How images store values.
        public static let format = MPSImageFeatureChannelFormat.\(storesHalves ? "float16" : "float32")
        /// What goes in\(scaling(plan.input)).
        public static let input = \(labelled(plan.inputShape))
        /// What comes out.
        public static let output = \(labelled(output))

        private let device: MTLDevice
        private let queue: MTLCommandQueue
      \(zip(names.properties, plan.steps).map { "  private let \($0): \($1.kernel.type)" }.joined(separator: "\n"))

        /// Makes the kernels, which copy what they need of the weights.
        public init(device: MTLDevice, archive: NAMEArchive) throws {
          guard let queue = device.makeCommandQueue() else { throw NAMEError("no command queue") }
          (self.device, self.queue) = (device, queue)
      \(usesKernels ? "    let kernels = NAMEKernels(device: device, archive: archive)\n" : "")
      \(plan.steps.indices.map { making(plan, names, $0) }.joined(separator: "\n"))
        }

        /// Adds the network to a command buffer.
        ///
        /// - Parameters:
        ///   - image: \(plan.inputShape), values as the network was trained with\(scaling(plan.input)).
        ///   - activations: keeps what each layer gives, for tests.
        /// - Returns: an image of \(output); `synchronize(on:)` has to follow before the CPU reads it.
        public func encode(
          commandBuffer: MTLCommandBuffer, image: MPSImage, activations: NAMEActivations? = nil
        ) -> MPSImage {
          let images = NAMEImages(commandBuffer: commandBuffer, activations: activations)

      \(plan.steps.indices.map { encoding(plan, names, $0) }.joined(separator: "\n\n"))

          return \(names.images[plan.output])
        }

      \(predict)
      }
      """
  }

  /// What comes in and what each step gives.
  private static func overview(_ plan: MPSCNNPlan) -> [String] {
    let rows =
      [(escaped(plan.input.name), plan.inputShape)]
      + plan.steps.compactMap { step in step.result.map { (escaped($0), step.shape) } }
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, shape in
      name + String(repeating: " ", count: width - name.count) + "  \(shape)"
    }
  }

  private static func labelled(_ shape: ImageShape) -> String {
    "(height: \(shape.height), width: \(shape.width), channels: \(shape.channels))"
  }

  /// What the model says of its pixels.
  private static func scaling(_ input: ModelInput) -> String {
    guard input.scale != nil || input.offset != nil else { return "" }
    return ": pixels times \(input.scale ?? 1)" + (input.offset.map { ", plus \($0)" } ?? "")
  }

  private static let predict = """
      /// Runs the network on the CPU's values and waits: row after row, all channels of a pixel together.
      public func predict(
        _ values: [Float], activations: NAMEActivations? = nil
      ) throws -> [Float] {
        guard values.count == Self.input.height * Self.input.width * Self.input.channels else {
          throw NAMEError("\\(values.count) values do not fill the input \\(Self.input)")
        }
        // Command buffers and images that nobody needs any more are gone before the next run.
        return try autoreleasepool {
          guard let commandBuffer = queue.makeCommandBuffer() else {
            throw NAMEError("no command buffer")
          }
          let image = MPSImage(
            device: device,
            imageDescriptor: MPSImageDescriptor(
              channelFormat: Self.format, width: Self.input.width, height: Self.input.height,
              featureChannels: Self.input.channels))
          NAMEPixels.write(values, to: image)
          let result = encode(
            commandBuffer: commandBuffer, image: image, activations: activations)
          // On a Mac the CPU has a copy of its own of an image, which is brought up to date here.
          result.synchronize(on: commandBuffer)
          activations?.images.forEach { $0.image.synchronize(on: commandBuffer) }
          commandBuffer.commit()
          commandBuffer.waitUntilCompleted()
          if let error = commandBuffer.error { throw error }
          return NAMEPixels.read(result)
        }
      }
    """
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
      "input", "kernels", "output", "predict", "queue",
    ]

    init(_ plan: MPSCNNPlan) {
      let wishes =
        plan.steps.map(Self.property)
        + plan.steps.map {
          ($0.result ?? $0.layer + "Sums") + "Image"
        }
      let names = SwiftText.identifiers(wishes, besides: Self.taken)
      properties = Array(names.prefix(plan.steps.count))
      images = Array(names.dropFirst(plan.steps.count))
    }

    private static func property(_ step: MPSCNNStep) -> String {
      switch step.kernel {
      case .softMax, .logSoftMax: step.layer + "SoftMax"
      default: step.layer
      }
    }
  }
}

// MARK: - Statements

extension MPSCNNNetworkSource {
  /// The statement that makes the kernel of a step, with its shapes above it.
  private static func making(_ plan: MPSCNNPlan, _ names: Names, _ index: Int) -> String {
    let step = plan.steps[index]
    let read = step.reads[0]
    var from = plan.inputShape
    if case .step(let source) = read { from = plan.steps[source].shape }
    let comment = ["\(from) -> \(step.shape)", step.remark].compactMap(\.self)
    let (function, arguments) = step.kernel.making(layer: SwiftText.literal(step.layer))
    return comment.map { "    // " + $0 + "\n" }.joined()
      + SwiftCall.text("\(names.properties[index]) = \(function)", arguments, indent: 4)
  }

  /// The statements that make the image of a step and write it.
  private static func encoding(_ plan: MPSCNNPlan, _ names: Names, _ index: Int) -> String {
    let step = plan.steps[index]
    let sizes = [
      "height: \(step.shape.height)", "width: \(step.shape.width)",
      "channels: \(step.shape.channels)",
    ]
    let readers = plan.readers(of: index)
    let image: String
    if let result = step.result {
      let isOutput = index == plan.output
      image = SwiftCall.text(
        "let \(names.images[index]) = images.\(isOutput ? "makeOutput" : "make")",
        [SwiftText.literal(result)] + sizes + [
          isOutput || readers == 1 ? nil : "reads: \(readers)"
        ],
        indent: 4)
    } else {
      image = SwiftCall.text(
        "let \(names.images[index]) = images.makeSums", sizes, indent: 4)
    }
    let reads = step.reads.map { source in
      if case .step(let index) = source { names.images[index] } else { "image" }
    }
    let labels = reads.count == 1 ? ["sourceImage"] : ["primaryImage", "secondaryImage"]
    let encode = SwiftCall.text(
      "\(names.properties[index]).encode",
      ["commandBuffer: commandBuffer"] + zip(labels, reads).map { "\($0): \($1)" }
        + ["destinationImage: \(names.images[index])"],
      indent: 4)
    return image + "\n" + encode
  }
}
