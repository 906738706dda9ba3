import Memory
import Testing

@Suite struct MemoryLimitTests {
  @Test func `the least limit applies, the first of equal ones`() {
    let limits: [MemoryLimit?] = [
      MemoryLimit(16 << 30, of: .fixed), nil, MemoryLimit(512 << 20, of: .container),
      MemoryLimit(512 << 20, of: .addresses), MemoryLimit(24 << 30, of: .machine),
    ]
    #expect(MemoryLimit.least(of: limits).source == .container)
    // What is taken counts.
    let left = MemoryLimit.least(of: [
      MemoryLimit(300 << 20, of: .container, taken: 10 << 20),
      MemoryLimit(512 << 20, of: .addresses, taken: 400 << 20),
    ])
    #expect(left == MemoryLimit(512 << 20, of: .addresses, taken: 400 << 20))
    #expect(left.bytes == 112 << 20)
    #expect(MemoryLimit(1, of: .machine, taken: 2).bytes == 0)
  }

  @Test func `words name the limit`() {
    let size = 512 << 20
    #expect(MemoryLimit(16 << 30, of: .fixed).words == "16 GiB of memory")
    #expect(
      MemoryLimit(size, of: .container).words
        == "512 MiB of memory, and the container may use no more")
    #expect(
      MemoryLimit(size, of: .addresses).words
        == "512 MiB of memory, and this process may use no more (ulimit -v)")
    #expect(
      MemoryLimit(size, of: .container, taken: 12 << 20).words
        == "500 MiB of memory, the rest of the 512 MiB that the container may use")
    #expect(
      MemoryLimit(size, of: .container, taken: 12 << 20).rest
        == "500 MiB of the 512 MiB that the container may use")
    #expect(MemoryLimit(5 << 30, of: .machine, taken: 1 << 30).rest == "4 GiB")
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1536, "1.5 KiB"), (1 << 20, "1 MiB"),
    (5 << 40, "5 TiB"), (Int.max, "8388608 TiB"),
  ])
  func `bytes are said in the unit that fits`(count: Int, text: String) {
    #expect(byteText(count) == text)
  }

  @Test func `this process may use some memory, and no more than there is`() {
    #expect(MachineMemory.left.bytes > 0)
    #expect(MachineMemory.left.bytes <= MachineMemory.limit.bytes)
    #expect(MachineMemory.limit.bytes <= MachineMemory.fixed.bytes)
    #expect(MachineMemory.threads(1) == 1)
  }

  @Test func `a claim may be a hundred times what is stored, or little`() {
    let stored = 1 << 20
    #expect(Claim(100 << 20, stored: stored).isPlausible(unquestioned: 0))
    #expect(!Claim(101 << 20, stored: stored).isPlausible(unquestioned: 0))
    #expect(Claim(101 << 20, stored: 0).isPlausible(unquestioned: 101 << 20))
    #expect(!Claim(.max, stored: stored).isPlausible(unquestioned: 1 << 30))
    #expect(!Claim(17 << 20, stored: stored).isPlausible(unquestioned: 0, ratio: 16))
  }
}
