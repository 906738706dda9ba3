extension MPSCNNNetworkSource {
  /// The code of the class for custom layers; empty if the network has none.
  struct Custom {
    private let name: PackageName
    private let isNeeded: Bool

    init(_ plan: MPSCNNPlan, in name: PackageName) {
      self.name = name
      isNeeded = !plan.customLayers.isEmpty
    }

    /// The declaration of the app's layers.
    var property: String {
      isNeeded ? "\n  private let \(CustomLayers.parameter(in: name))" : ""
    }

    /// The first line of the initialiser.
    var initializer: String {
      guard isNeeded else {
        return "init(device: MTLDevice, parameters: \(name)Parameters) throws {"
      }
      return """
        init(
            device: MTLDevice, parameters: \(name)Parameters,
            \(CustomLayers.parameter(in: name))
          ) throws {
        """
    }

    var assignment: String { isNeeded ? "\n    self.customLayers = customLayers" : "" }
    var throwing: String { isNeeded ? "throws " : "" }
    var attempt: String { isNeeded ? "try " : "" }

    /// The documentation of errors that `encode` throws.
    var remark: String { isNeeded ? "\n  /// - Throws: what a layer of the app throws." : "" }
  }
}
