import ModelIR

extension Model {
  /// Builds a model of the graph between an input and an output.
  ///
  /// - Parameters:
  ///   - name: the name of the model.
  ///   - input: the input.
  ///   - output: the output.
  ///   - parameters: called once per parameter, with the layer's name, the number of values and the role; returns the
  ///     stored values, by default in the order of the operator's definition (kernels: H, W, I, O), or `nil` if there
  ///     are none.
  /// - Throws: `badData` with every problem, each with the layer's name and shapes.
  public init(
    name: String = "model", input: Input, output: any NodeSource,
    parameters: (_ name: String, _ count: Int, _ role: ParameterRole) throws(NetconvError) ->
      StoredTensor? = { _, _, _ in nil }
  ) throws(NetconvError) {
    try self.init(name: name, inputs: [input], outputs: [output], parameters: parameters)
  }

  /// Builds a model of the graph between inputs and outputs.
  ///
  /// - Parameters:
  ///   - name: the name of the model.
  ///   - inputs: the inputs, in the order in which arrays are passed.
  ///   - outputs: the outputs.
  ///   - parameters: as for a model of one input and one output.
  /// - Throws: `badData` with every problem, each with the layer's name and shapes.
  public init(
    name: String = "model", inputs: [Input], outputs: [any NodeSource],
    parameters: (_ name: String, _ count: Int, _ role: ParameterRole) throws(NetconvError) ->
      StoredTensor? = { _, _, _ in nil }
  ) throws(NetconvError) {
    self = try ModelBuilder(inputs, outputs).model(name) { layer, spec throws(NetconvError) in
      try parameters(layer, try spec.count(), spec.role)
    }
  }

  /// Builds a model of the graph between an input and an output, with parameters from `loader`.
  ///
  /// - Throws: `badData` with every problem, each with the layer's name and shapes.
  public init(
    name: String = "model", input: Input, output: any NodeSource, loader: ParameterLoader
  ) throws(NetconvError) {
    try self.init(name: name, inputs: [input], outputs: [output], loader: loader)
  }

  /// Builds a model of the graph between inputs and outputs, with parameters from `loader`.
  ///
  /// - Throws: `badData` with every problem, each with the layer's name and shapes.
  public init(
    name: String = "model", inputs: [Input], outputs: [any NodeSource], loader: ParameterLoader
  ) throws(NetconvError) {
    self = try ModelBuilder(inputs, outputs).model(name, loader.load)
  }
}
