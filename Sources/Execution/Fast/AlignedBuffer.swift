/// Memory aligned to cache lines, so that no vector crosses a line boundary.
final class AlignedBuffer<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  /// The size of a cache line in bytes.
  static var alignment: Int { 64 }

  /// The first of `count` elements.
  ///
  /// It is written only where the buffer was created, before it is shared.
  let base: UnsafeMutablePointer<Element>
  /// The number of elements.
  let count: Int

  /// Allocates uninitialised memory for `count` elements.
  init(uninitializedCount count: Int) {
    self.count = count
    let bytes = UnsafeMutableRawPointer.allocate(
      byteCount: count * MemoryLayout<Element>.stride, alignment: Self.alignment)
    base = bytes.bindMemory(to: Element.self, capacity: count)
  }

  /// Copies `elements`, and fills up to `count` elements with `filler`.
  convenience init(_ elements: [Element], count: Int? = nil, filler: Element) {
    self.init(uninitializedCount: count ?? elements.count)
    base.initialize(repeating: filler, count: self.count)
    for (index, element) in elements.enumerated() { base[index] = element }
  }

  deinit { base.deallocate() }
}
