import ModelIR
import Testing

/// Requires that each range of a tensor equals that range of the whole.
func requireParts(of tensor: Tensor) throws {
  let all = try tensor.values()
  for start in 0..<tensor.count {
    for end in start...tensor.count {
      let part = [Double](unsafeUninitializedCapacity: end - start) { buffer, count in
        let values = UnsafeMutableBufferPointer(rebasing: buffer[..<(end - start)])
        let read: ()? = try? tensor.stored.source.read(start..<end, into: values)
        count = read == nil ? 0 : end - start
      }
      try #require(part.map { Float($0) } == Array(all[start..<end]), "\(tensor.stored.path)")
    }
  }
}
