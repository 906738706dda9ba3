/// Where the parameters of a model come from that is described in code.
public struct ParameterLoader: Sendable {
  /// The parameter `spec` of the layer called `layer`, or `nil` if there is none.
  ///
  /// The spec names the axes that a flatten has merged. Nothing needs to be read: the values stay where they
  /// are until they are asked for.
  public let load:
    @Sendable (_ layer: String, _ spec: ParameterSpec) throws(NetconvError) -> StoredTensor?

  /// A loader that does `load`.
  public init(
    _ load:
      @escaping @Sendable (_ layer: String, _ spec: ParameterSpec) throws(NetconvError) ->
      StoredTensor?
  ) {
    self.load = load
  }
}

extension StoredTensor {
  /// Values that are in memory, in the order in which the operator's definition reads them.
  ///
  /// - Parameters:
  ///   - values: in C order.
  ///   - layout: the order of their axes, where it is another one.
  public init(_ values: [Float], layout: Layout? = nil) {
    self.init(source: ArraySource(values), layout: layout, shape: nil, path: "memory")
  }
}
