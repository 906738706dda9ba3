/// The source of the protocol through which an app computes custom layers on images.
struct MPSCNNCustomSource {
  /// The text of the file.
  let text: String

  /// Creates the protocol for the custom layers of `plan`.
  init(_ plan: MPSCNNPlan, _ model: PackageModel) {
    let name = model.name
    let requirements = plan.customLayers.functions.map { Self.requirement($0, plan) }
    text = """
      import MetalPerformanceShaders

      /// The layers that the app implements: a function for each custom layer of the network.
      ///
      /// A function adds work to the command buffer, and neither commits it nor waits. It writes the whole destination.
      /// Shapes are (height, width, channels); a vector is one pixel, or behind a flatten the image that it was. Values
      /// are stored as `\(name).format` says.
      ///
      /// None of these images is temporary: they can be read in any way, and as often as wanted. Up to four channels are
      /// one texture of type 2D, more are slices of a 2D array with four channels each.
      ///
      /// What is thrown ends `encode` or `predict`. Only `\(name)Comparison` checks what is written.
      public protocol \(CustomLayers.type(in: name)) {
      \(requirements.joined(separator: "\n\n"))
      }
      """
  }

  private static func requirement(
    _ function: CustomLayers.Function, _ plan: MPSCNNPlan
  ) -> String {
    let comment = CustomLayers.comment(
      function,
      (
        "Writes what a layer makes of the source image:",
        "Writes what a layer makes of the source images, in the order of its inputs:"
      )
    ) { layer in
      guard let images = plan.images(of: layer.name) else { return ([], "") }
      return (images.inputs.map(\.description), images.output.description)
    }
    let source = function.takesSeveral ? "sourceImages: [MPSImage]" : "sourceImage: MPSImage"
    return comment
      + CustomLayers.declaration(
        function, "commandBuffer: MTLCommandBuffer, \(source), destinationImage: MPSImage", "throws"
      )
  }
}
