/// True if the values are bitwise equal.
package func haveSameBits<Value: BitwiseCopyable>(
  _ values: UnsafeBufferPointer<Value>, _ others: [Value]
) -> Bool {
  others.withUnsafeBytes { haveSameBytes(UnsafeRawBufferPointer(values), $0) }
}

private func haveSameBytes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
  guard a.count == b.count else { return false }
  let words = a.count & ~7
  for offset in stride(from: 0, to: words, by: 8)
  where a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    != b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  {
    return false
  }
  return a[words...].elementsEqual(b[words...])
}
