/// The source of the parameters of a model that is described in code.
public struct ParameterLoader: Sendable {
  /// Returns the parameter `spec` of the layer called `layer`, or `nil` if there is none.
  ///
  /// The spec names the axes that a flatten has merged. Nothing needs to be read: values are loaded when they are
  /// needed.
  public let load:
    @Sendable (_ layer: String, _ spec: ParameterSpec) throws(NetconvError) -> StoredTensor?

  /// Creates a loader from a function.
  public init(
    _ load:
      @escaping @Sendable (_ layer: String, _ spec: ParameterSpec) throws(NetconvError) ->
      StoredTensor?
  ) {
    self.load = load
  }
}

extension StoredTensor {
  /// Creates a tensor from values in memory, in the order of the operator's definition.
  ///
  /// - Parameters:
  ///   - values: the values in row-major order.
  ///   - layout: the layout, if it differs from that of the definition.
  public init(_ values: [Float], layout: Layout? = nil) {
    self.init(source: ArraySource(values), layout: layout, shape: nil, path: "memory")
  }
}
