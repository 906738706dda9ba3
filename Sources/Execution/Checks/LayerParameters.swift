import ModelIR

extension Layer {
  /// The parameters, read into memory, each in the layout of its spec.
  ///
  /// - Parameter roles: of those to read; by default all.
  /// - Throws: what the source of the values throws, with the tensor.
  func loadParameters(
    _ roles: Set<ParameterRole>? = nil
  ) throws(NetconvError) -> [ParameterRole: NDArray<Float>] {
    var loaded: [ParameterRole: NDArray<Float>] = [:]
    for parameter in parameters where roles?.contains(parameter.spec.role) ?? true {
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
