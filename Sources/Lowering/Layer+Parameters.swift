import ModelIR

extension Layer {
  /// Reads the parameters into memory, each in the layout of its spec.
  ///
  /// - Parameters:
  ///   - roles: the roles to read; by default all.
  ///   - precision: the precision; float16 rounds kernels to half precision.
  /// - Throws: any error of the source of the values, with the tensor.
  package func loadParameters(
    _ roles: Set<ParameterRole>? = nil, _ precision: Precision = .float32
  ) throws(NetconvError) -> [ParameterRole: NDArray<Float>] {
    var loaded: [ParameterRole: NDArray<Float>] = [:]
    for parameter in parameters where roles?.contains(parameter.spec.role) ?? true {
      do {
        let wanted = try parameter.rearranged(to: parameter.spec.layout)
        let array = NDArray(shape: wanted.shape, values: try wanted.values())
        let isRounded = precision == .float16 && parameter.spec.kind != .vector
        loaded[parameter.spec.role] = isRounded ? HalfRounding.round(array) : array
      } catch {
        throw error.inTensor(parameter.spec.role.rawValue).inLayer(name)
      }
    }
    return loaded
  }
}
