import ModelIR

/// The network as a class.
///
/// Each kernel is a property, which the initialiser creates and `encode` runs.
struct MPSCNNNetworkSource {
  /// The source text of the class.
  let text: String

  /// Creates the class for `plan` of `model`.
  init(_ plan: MPSCNNPlan, _ model: PackageModel) {
    text = Self.text(plan, Names(plan), model)
  }

  private static func text(
    _ plan: MPSCNNPlan, _ names: Names, _ model: PackageModel
  ) -> String {
    let name = model.name
    let inputs = Inputs(plan, in: name)
    let results = Results(plan, names, in: name)
    let body = Body(plan, names, inputs, in: name)
    let custom = Custom(plan, in: name)
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
        /// The channel format of images.
        public static let format = MPSImageFeatureChannelFormat.\(model.storesHalves ? "float16" : "float32")
        /// The network's input\(inputs.remark).
        public static let \(inputs.constant)
        /// The network's output\(results.order).
        public static let \(results.constant)
      \(model.foldedConstant)
        \(model.deviceAccess)let device: MTLDevice
        private let queue: MTLCommandQueue\(model.picturesProperty)
        private let storage = \(name)Storage()\(custom.property)
      \(body.properties)

        /// Makes the kernels, which copy what they need of the weights.
        \(custom.initializer)
          guard MPSSupportsMTLDevice(device) else {
            throw \(name)Error("\\(device.name) has no Metal Performance Shaders")
          }
          guard let queue = device.makeCommandQueue() else { throw \(name)Error("no command queue") }
          (self.device, self.queue) = (device, queue)\(custom.assignment)
      \(body.making)
        }

        /// Adds the network to a command buffer.
        ///
        /// - Parameters:
        ///   - \(inputs.description).\(inputs.readCount.map { "\n  ///     \($0)." } ?? "")
        ///   - activations: keeps the output of each layer, for tests.
        /// - Returns: \(results.description); `synchronize(on:)` has to follow before the CPU reads.\(custom.remark)
        public func encode(
          commandBuffer: MTLCommandBuffer, \(inputs.parameter), activations: \(name)Activations? = nil
        ) \(custom.throwing)-> \(results.imageType) {
          let images = \(name)Images(
            commandBuffer: commandBuffer, activations: activations, storage: storage)

      \(body.encoding)

          return \(results.images)
        }

      \(predict(inputs, results, custom, of: name))
      }
      """ + body.parts
  }

  /// A table of the inputs and of each step's result, with their shapes.
  private static func overview(_ plan: MPSCNNPlan) -> [String] {
    PackageText.table(
      plan.inputs.map { ($0.input.name, $0.shape.description) }
        + plan.steps.indices.flatMap { index in
          let (step, joined) = (plan.steps[index], plan.image(completedBy: index))
          return [
            step.result.map { ($0, step.shape.description) },
            joined.map { ($0.layer, $0.shape.description) },
          ].compactMap(\.self)
        })
  }

  private static func predict(
    _ inputs: Inputs, _ results: Results, _ custom: Custom, of name: PackageName
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
          let \(results.constantName) = \(custom.attempt)encode(
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
