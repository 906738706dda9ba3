/// Calls `body` with the address of each array.
func withAddresses<Result>(
  of arrays: ArraySlice<[Float]>, _ addresses: [UnsafePointer<Float>] = [],
  _ body: ([UnsafePointer<Float>]) -> Result
) -> Result {
  guard let array = arrays.first else { return body(addresses) }
  return array.withUnsafeBufferPointer { buffer in
    let address = buffer.baseAddress.map { [$0] } ?? []
    return withAddresses(of: arrays.dropFirst(), addresses + address, body)
  }
}

/// Returns arrays of the given sizes, filled by `fill`.
func filledArrays(
  of counts: ArraySlice<Int>, _ addresses: [UnsafeMutablePointer<Float>] = [],
  _ fill: ([UnsafeMutablePointer<Float>]) -> Void
) -> [[Float]] {
  guard let count = counts.first else {
    fill(addresses)
    return []
  }
  var rest: [[Float]] = []
  let array = [Float](unsafeUninitializedCapacity: count) { buffer, initializedCount in
    let address = buffer.baseAddress.map { [$0] } ?? []
    rest = filledArrays(of: counts.dropFirst(), addresses + address, fill)
    initializedCount = count
  }
  return [array] + rest
}
