import ModelIR

extension Layer {
  /// The parameters, read into memory, each in the layout of its spec.
  ///
  /// - Parameters:
  ///   - roles: of those to read; by default all.
  ///   - precision: kernels are rounded to half precision if it says so.
  /// - Throws: what the source of the values throws, with the tensor.
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
