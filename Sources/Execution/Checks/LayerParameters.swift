import ModelIR

extension Layer {
  /// The parameters, read into memory, each in the layout of its spec.
  ///
  /// - Throws: what the source of the values throws, with the tensor.
  func loadParameters() throws(NetconvError) -> [ParameterRole: NDArray<Float>] {
    var loaded: [ParameterRole: NDArray<Float>] = [:]
    for parameter in parameters {
      do {
        let wanted = try parameter.rearranged(to: parameter.spec.layout)
        loaded[parameter.spec.role] = NDArray(shape: wanted.shape, values: try wanted.values())
      } catch {
        throw error.inTensor(parameter.spec.role.rawValue).inLayer(name)
      }
    }
    return loaded
  }
}
