import ModelIR
import Operators

/// The network as a class.
///
/// Its initialiser builds a graph tensor by tensor, and `predict` runs it.
struct MPSGraphNetworkSource {
  /// The source text of the class.
  let text: String

  /// Creates the class for `plan` of `model`.
  init(_ plan: MPSGraphPlan, _ model: PackageModel) {
    let name = model.name
    let inputs = Ends(
      "input",
      plan.inputs.map {
        // Input values are float32 even in a float16 network.
        .init(name: model.storesHalves ? $0.fed : $0.value.name, shape: $0.value.shape)
      })
    let outputs = Ends("output", plan.outputs)
    let scaling = Self.scaling(plan.inputs.map(\.input))
    let body = Body(plan, model)
    let custom = plan.customLayers.isEmpty ? nil : CustomLayers.parameter(in: name)
    text = """
      import MetalPerformanceShadersGraph

      /// The network \(escaped(model.model.name)), as netconv has read it from \(escaped(model.source)).
      ///
      /// Shapes; those of \(Self.axes(model.model)):
      ///
      \(Self.overview(plan, model.model).map { "///     " + $0 }.joined(separator: "\n"))
      ///
      /// For one thread at a time: threads that run at once need a network each.
      public final class \(name) {
        /// The data type of kernels, and of tensors between layers.
        public static let format = MPSDataType.\(model.storesHalves ? "float16" : "float32")
        /// The network's input\(scaling), without the batch\(inputs.order).
        public static let \(inputs.shapeConstant)
        /// The network's output, without the batch\(outputs.order).
        public static let \(outputs.shapeConstant)
      \(model.foldedConstant)
        /// The graph; with \(inputs.name) and \(outputs.name) it can run in command buffers of your own.
        public let graph: MPSGraph
        /// The graph's input, of floats\(inputs.order); the batch, its first axis, can have any size.
        public let \(inputs.name): \(inputs.type)
        /// The graph's output\(outputs.order).
        public let \(outputs.name): \(outputs.type)
        /// The output of each layer, for tests; a missing layer is part of the next.
        public let tensors: [(layer: String, tensor: MPSGraphTensor)]
        \(model.deviceAccess)let device: MPSGraphDevice
        private let queue: MTLCommandQueue\(model.picturesProperty)
        let executables: \(name)Executables

        /// Builds the graph, which is compiled when it first runs with a batch of some size.
        \(Self.initializer(custom, of: name))
          guard MPSSupportsMTLDevice(device) else {
            throw \(name)Error("\\(device.name) has no Metal Performance Shaders")
          }
          guard let queue = device.makeCommandQueue() else { throw \(name)Error("no command queue") }
          (self.device, self.queue) = (MPSGraphDevice(mtlDevice: device), queue)
          let graph = MPSGraph()
      \(body.layers)\(plan.inputs.map { Self.placeholder($0, storesHalves: model.storesHalves) }.joined(separator: "\n"))

      \(body.building)

          self.graph = graph
          executables = \(name)Executables(
            graph, \(inputs.list), device: self.device)
          \(inputs.assignment)
          \(outputs.assignment)
          tensors = \(body.tensors)
        }

      \(Self.predict(inputs, outputs, of: name))
      }
      """ + body.parts
  }

  /// A description of the axes of shapes.
  private static func axes(_ model: Model) -> String {
    let hasSequences = model.layers.contains { $0.operation is any LineOperator }
    return (hasSequences ? "sequences are (length, channels), those of " : "")
      + "images \(hasSequences ? "" : "are ")(height, width, channels)"
  }

  /// The preprocessing of pixels, with names if there are several inputs.
  private static func scaling(_ inputs: [ModelInput]) -> String {
    if inputs.count == 1 { return inputs[0].scaling }
    guard inputs.contains(where: { $0.preprocessing != nil }) else { return "" }
    return ": " + inputs.map(\.nameAndScaling).joined(separator: ", ")
  }

  /// A table of the inputs and of each layer's output, with their shapes.
  private static func overview(_ plan: MPSGraphPlan, _ model: Model) -> [String] {
    let shapes = Dictionary(uniqueKeysWithValues: model.layers.map { ($0.name, $0.outputShape) })
    return PackageText.table(
      plan.inputs.map { ($0.input.name, $0.value.shape.text) }
        + plan.statements.compactMap { statement in
          statement.layer.map { ($0, (shapes[$0]?.known ?? []).text) }
        })
  }

  private static func placeholder(_ input: MPSGraphPlan.Input, storesHalves: Bool) -> String {
    let placeholder = SwiftCall.text(
      "let \(storesHalves ? input.fed : input.value.name) = graph.placeholder",
      [
        "shape: \(input.value.shape.batched)", "dataType: .float32",
        "name: " + SwiftText.literal(input.input.name),
      ], indent: 4)
    guard storesHalves else { return placeholder }
    return placeholder + "\n"
      + SwiftCall.text(
        "let \(input.value.name) = graph.cast",
        [input.fed, "to: Self.format", "name: nil"], indent: 4)
  }
}

// MARK: - Initialiser

extension MPSGraphNetworkSource {
  /// The first line of the initialiser.
  ///
  /// - Parameter custom: The parameter for custom layers; `nil` for a network without any.
  private static func initializer(_ custom: String?, of name: PackageName) -> String {
    guard let custom else {
      return "init(device: MTLDevice, parameters: \(name)Parameters) throws {"
    }
    return """
      init(
          device: MTLDevice, parameters: \(name)Parameters,
          \(custom)
        ) throws {
      """
  }
}

// MARK: - Inputs and outputs

extension MPSGraphNetworkSource {
  /// The inputs or the outputs: a single tensor or an array of tensors.
  private struct Ends {
    let singular: String
    let values: [MPSGraphPlan.Value]

    init(_ singular: String, _ values: [MPSGraphPlan.Value]) {
      (self.singular, self.values) = (singular, values)
    }

    var isOne: Bool { values.count == 1 }
    var name: String { isOne ? singular : singular + "s" }
    var type: String { isOne ? "MPSGraphTensor" : "[MPSGraphTensor]" }
    var valueType: String { isOne ? "[Float]" : "[[Float]]" }
    var order: String { isOne ? "" : ", in the order of the model" }

    var shapeConstant: String {
      isOne
        ? "\(singular)Shape = \(values[0].shape)"
        : "\(singular)Shapes = [\(values.map { "\($0.shape)" }.joined(separator: ", "))]"
    }

    /// All names as an array literal.
    var list: String { "[\(values.map(\.name).joined(separator: ", "))]" }

    var assignment: String {
      let names = values.map(\.name)
      return isOne
        ? "\(name) = \(names[0])" : "\(name) = [\(names.joined(separator: ", "))]"
    }
  }

  private static func predict(_ inputs: Ends, _ outputs: Ends, of name: PackageName) -> String {
    """
      /// Runs the network on the CPU's values and waits; throws the device's error, if there is one.
      ///
      /// - Parameters:
      ///   - values: \(inputs.isOne ? "of" : "for each input those of") one sample or of several behind one another, with the last axis fastest.
      ///   - activations: keeps the output of each layer, for tests.
      /// - Returns: the output for all samples.
      public func predict(
        _ values: \(inputs.valueType), activations: \(name)Activations? = nil
      ) throws -> \(outputs.valueType) {
    \(inputs.isOne ? check(name) : checks(name))
        // Buffers that nobody needs any more are gone before the next run.
        return try autoreleasepool {
    \(inputs.isOne ? feed(name) : feeds(name))
          guard let first = queue.makeCommandBuffer() else {
            throw \(name)Error("no command buffer")
          }
          // A graph may commit the one inside, and go on with another.
          let commandBuffer = MPSCommandBuffer(commandBuffer: first)
          let kept = activations == nil ? [] : tensors
          let results = try executables.encode(
            to: commandBuffer, feeds, kept.map(\\.tensor) + \(outputs.isOne ? "[output]" : "outputs"))
          commandBuffer.commit()
          commandBuffer.waitUntilCompleted()
          if let error = first.error ?? commandBuffer.error { throw error }
          activations?.values = zip(kept, results).map { ($0.layer, \(name)Values.read($1)) }
          return \(outputs.isOne ? "\(name)Values.read(results[kept.count])" : "results.dropFirst(kept.count).map(\(name)Values.read)")
        }
      }
    """
  }

  /// The check of the values for a single input.
  private static func check(_ name: PackageName) -> String {
    #"""
        let size = Self.inputShape.reduce(1, *)
        guard !values.isEmpty, values.count % size == 0 else {
          throw \#(name)Error("\(values.count) values do not fill inputs of \(Self.inputShape)")
        }
    """#
  }

  /// The feeds for a single input.
  private static func feed(_ name: PackageName) -> String {
    """
          let feeds = [
            \(name)Values.write(
              values, shape: [values.count / size] + Self.inputShape, device: device)
          ]
    """
  }

  /// The check of the values for several inputs.
  private static func checks(_ name: PackageName) -> String {
    #"""
        let sizes = Self.inputShapes.map { $0.reduce(1, *) }
        let batch = (values.first?.count ?? 0) / sizes[0]
        guard batch > 0, values.map(\.count) == sizes.map({ $0 * batch }) else {
          throw \#(name)Error("\(values.map(\.count)) values do not fill inputs of \(Self.inputShapes)")
        }
    """#
  }

  /// The feeds for several inputs.
  private static func feeds(_ name: PackageName) -> String {
    """
          let feeds = zip(values, Self.inputShapes).map { values, shape in
            \(name)Values.write(values, shape: [batch] + shape, device: device)
          }
    """
  }
}
