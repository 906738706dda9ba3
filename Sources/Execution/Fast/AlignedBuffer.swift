/// Memory that starts at a cache line, so that no vector lies across two.
final class AlignedBuffer<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  /// Bytes of a cache line.
  static var alignment: Int { 64 }

  /// The first of `count` elements.
  ///
  /// Written only where the buffer was made, before it is shared.
  let base: UnsafeMutablePointer<Element>
  /// The number of elements.
  let count: Int

  /// Memory for `count` elements, not initialised.
  init(uninitializedCount count: Int) {
    self.count = count
    let bytes = UnsafeMutableRawPointer.allocate(
      byteCount: count * MemoryLayout<Element>.stride, alignment: Self.alignment)
    base = bytes.bindMemory(to: Element.self, capacity: count)
  }

  /// A copy of `elements`, filled up to `count` with `filler`.
  convenience init(_ elements: [Element], count: Int? = nil, filler: Element) {
    self.init(uninitializedCount: count ?? elements.count)
    base.initialize(repeating: filler, count: self.count)
    for (index, element) in elements.enumerated() { base[index] = element }
  }

  deinit { base.deallocate() }
}
