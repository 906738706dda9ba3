import ModelIR

/// The source of the protocol through which an app adds custom layers to the graph.
struct MPSGraphCustomSource {
  /// The text of the file.
  let text: String

  /// Creates the protocol for the custom layers of `plan`.
  init(_ plan: MPSGraphPlan, _ model: PackageModel) {
    let name = model.name
    let requirements = plan.customLayers.functions.map(Self.requirement)
    text = """
      import MetalPerformanceShadersGraph

      /// The layers that the app implements: a function for each custom layer of the network.
      ///
      /// A function adds operations to the graph while the network is made, and gives the tensor that they make. In front of
      /// the shapes here tensors have the batch, whose size is open: -1. Their type is `\(name).format`.
      ///
      /// The network refuses a tensor of another type or shape. Sizes that the graph does not know before it is compiled
      /// are not checked. What is thrown ends the initialiser.
      public protocol \(CustomLayers.type(in: name)) {
      \(requirements.joined(separator: "\n\n"))
      }
      """
  }

  private static func requirement(_ function: CustomLayers.Function) -> String {
    let comment = CustomLayers.comment(
      function,
      (
        "Gives what a layer makes of the source tensor:",
        "Gives what a layer makes of the source tensors, in the order of its inputs:"
      )
    ) { layer in
      (layer.inputShapes.map { ($0.known ?? []).text }, (layer.outputShape.known ?? []).text)
    }
    let source =
      function.takesSeveral ? "sourceTensors: [MPSGraphTensor]" : "sourceTensor: MPSGraphTensor"
    return comment
      + CustomLayers.declaration(function, "graph: MPSGraph, \(source)", "throws -> MPSGraphTensor")
  }
}
