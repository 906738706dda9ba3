import ModelIR

// The inputs and results of a network: a single image or an array of images.

extension MPSCNNNetworkSource {
  /// The parameters of `encode` and `predict`.
  struct Inputs {
    private let name: PackageName
    private let inputs: [MPSCNNPlan.Input]
    /// The number of kernels that read each input.
    private let readers: [Int]
    /// True if a custom layer reads an input.
    private let isOfApp: Bool

    init(_ plan: MPSCNNPlan, in name: PackageName) {
      self.name = name
      inputs = plan.inputs
      readers = plan.inputs.indices.map { plan.readers(of: .input($0)) }
      isOfApp = plan.inputs.indices.contains { plan.isOfApp(.input($0)) }
    }

    private var isOne: Bool { inputs.count == 1 }

    /// The scaling of a single input, or the names and scalings of several in their order.
    var remark: String {
      isOne
        ? inputs[0].input.scaling
        : ": " + inputs.map(\.input.nameAndScaling).joined(separator: ", ")
    }

    var constant: String {
      isOne ? "input = " + inputs[0].shape.labelled : "inputs = " + inputs.map(\.shape).labelled
    }

    var description: String {
      isOne
        ? "sourceImage: \(inputs[0].shape), values as the network was trained with\(inputs[0].input.scaling)"
        : "sourceImages: of the shapes that `inputs` lists, values as the network was trained with"
    }

    /// A note for callers that pass temporary images, if an input is read more than once.
    var readCount: String? {
      if isOfApp {
        return isOne
          ? "A layer of the app reads it, so that it must not be a temporary image"
          : "Layers of the app read some of them, so that these must not be temporary images"
      }
      guard readers.contains(where: { $0 > 1 }) else { return nil }
      return isOne
        ? "\(readers[0]) kernels read it, which is the `readCount` that a temporary image needs"
        : "\(readers) kernels read them, which are the `readCount`s that temporary images need"
    }

    var parameter: String { isOne ? "sourceImage: MPSImage" : "sourceImages: [MPSImage]" }
    var argument: String { isOne ? "sourceImage: image" : "sourceImages: sourceImages" }
    var valueType: String { isOne ? "[Float]" : "[[Float]]" }

    var order: String {
      (isOne ? "" : "for each input ") + "row after row, all channels of a pixel together"
    }

    /// The image of an input in `encode`; `nil` for the image of a step.
    func image(_ source: MPSCNNStep.Source) -> String? {
      guard case .input(let index) = source else { return nil }
      return isOne ? "sourceImage" : "sourceImages[\(index)]"
    }

    /// The parameter with an input: the image or the array of images; `nil` for the image of a
    /// step.
    func value(_ source: MPSCNNStep.Source) -> (name: String, type: String)? {
      guard case .input = source else { return nil }
      return isOne ? ("sourceImage", "MPSImage") : ("sourceImages", "[MPSImage]")
    }

    var checking: String {
      isOne
        ? #"""
            guard values.count == Self.input.height * Self.input.width * Self.input.channels else {
              throw \#(name)Error("\(values.count) values do not fill the input \(Self.input)")
            }
        """#
        : #"""
            guard values.map(\.count) == Self.inputs.map({ $0.height * $0.width * $0.channels }) else {
              throw \#(name)Error("\(values.map(\.count)) values do not fill the inputs \(Self.inputs)")
            }
        """#
    }

    var writing: String {
      isOne
        ? """
              let image = MPSImage(
                device: device,
                imageDescriptor: MPSImageDescriptor(
                  channelFormat: Self.format, width: Self.input.width, height: Self.input.height,
                  featureChannels: Self.input.channels))
              \(name)Pixels.write(values, to: image)
        """
        : """
              let sourceImages = zip(Self.inputs, values).map { input, values -> MPSImage in
                let image = MPSImage(
                  device: device,
                  imageDescriptor: MPSImageDescriptor(
                    channelFormat: Self.format, width: input.width, height: input.height,
                    featureChannels: input.channels))
                \(name)Pixels.write(values, to: image)
                return image
              }
        """
    }
  }

  /// The results of `encode` and `predict`.
  struct Results {
    private let name: PackageName
    private let shapes: [ImageShape]
    private let names: [String]

    /// Creates the results of `plan`.
    init(_ plan: MPSCNNPlan, _ names: Names, in name: PackageName) {
      self.name = name
      shapes = plan.outputs.map(plan.shape)
      self.names = plan.outputs.map(names.image)
    }

    private var isOne: Bool { shapes.count == 1 }

    var order: String { isOne ? "" : ", in the order of the results" }

    var constant: String {
      isOne ? "output = " + shapes[0].labelled : "outputs = " + shapes.labelled
    }

    var description: String {
      isOne
        ? "an image of \(shapes[0])"
        : "images of the shapes that `outputs` lists"
    }

    var imageType: String { isOne ? "MPSImage" : "[MPSImage]" }
    var valueType: String { isOne ? "[Float]" : "[[Float]]" }

    var images: String {
      isOne ? names[0] : "[\n" + names.map { "      \($0),\n" }.joined() + "    ]"
    }

    var constantName: String { isOne ? "result" : "results" }

    var synchronizing: String {
      isOne
        ? "result.synchronize(on: commandBuffer)"
        : "results.forEach { $0.synchronize(on: commandBuffer) }"
    }

    var reading: String {
      isOne ? "\(name)Pixels.read(result)" : "results.map(\(name)Pixels.read)"
    }
  }
}

extension ImageShape {
  /// The source text of a tuple: `(height: 28, width: 28, channels: 1)`.
  fileprivate var labelled: String { "(height: \(height), width: \(width), channels: \(channels))" }
}

extension [ImageShape] {
  /// The source text of an array of tuples, each on its own line.
  fileprivate var labelled: String { "[\n" + map { "    \($0.labelled),\n" }.joined() + "  ]" }
}
