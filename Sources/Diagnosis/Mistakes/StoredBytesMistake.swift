import ModelIR

/// Values in the wrong byte order, or at an offset that is a few values off.
enum StoredBytesMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    layer.parameters.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { role, parameter in
      bytesSwapped(role, parameter) + shifted(role, parameter, evidence)
    }
  }

  private static func bytesSwapped(
    _ role: ParameterRole, _ parameter: LayerCase.Parameter
  ) -> [Repair] {
    guard parameter.elementType == .float32 else { return [] }
    let swap: @Sendable (Float) -> Float = { Float(bitPattern: $0.bitPattern.byteSwapped) }
    return [
      Repair(
        .storedBytes, "\(role) has its bytes in reverse order: big-endian read as little-endian",
        advice: "write \(role) as little-endian values", role: role
      ) { layer in
        if let values = layer.parameters[role]?.values {
          layer.parameters[role]?.values = values.map(swap)
        }
      }
    ]
  }

  /// Corrections of an offset, which is found by searching for the source's first values.
  private static func shifted(
    _ role: ParameterRole, _ parameter: LayerCase.Parameter, _ evidence: Evidence
  ) -> [Repair] {
    guard let right = evidence.expected?.parameters[role]?.values,
      right.count == parameter.values.count,
      let declared = parameter.declared.first,
      let toFile = try? Rearrangement(
        from: parameter.spec.layout, to: declared.layout, sizes: parameter.spec.sizes,
        reversing: declared.reversed)
    else { return [] }
    let copy = toFile.copy
    let count = right.count
    let inFile = { (values: [Float], index: Int) in values[copy.sourceIndex(of: index)] }
    for distance in 1...min(64, max(1, count - 2)) {
      for sign in [1, -1] {
        let shift = sign * distance
        let places = max(0, -shift)..<min(count, count - shift)
        guard places.count > 1,
          places.allSatisfy({
            inFile(parameter.values.values, $0).bitPattern
              == inFile(right.values, $0 + shift).bitPattern
          })
        else { continue }
        let way =
          "\(distance) \(distance == 1 ? "value" : "values") \(shift > 0 ? "earlier" : "later")"
        return [
          Repair(
            .storedBytes,
            "\(role) is stored \(way) in its file than it was read", advice: "read \(role) \(way)",
            role: role
          ) { layer in
            layer.parameters[role]?.values = right
          }
        ]
      }
    }
    return []
  }
}
