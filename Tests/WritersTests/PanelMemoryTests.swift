import Memory
import Testing
import Writers

@Suite struct PanelMemoryTests {
  @Test func `a worker has one panel and two pieces`() {
    // 8 MiB for two workers are 1,048,576 values for each, of which 2 x 65,536 are pieces.
    #expect(PanelMemory(byteCount: 8 << 20, workers: 2).panelCount == 917_504)
    #expect(PanelMemory(byteCount: 100, workers: 4).panelCount == 1)
  }

  /// More than the tests use, and on most machines far less than the free memory.
  private static let limit = 4 << 30
  private static func panels(_ limit: Int, readsThroughLibrary: Bool = false) -> Int {
    PanelMemory(processLimit: limit, readsThroughLibrary: readsThroughLibrary).byteCount
  }

  @Test(.enabled(if: panels(1 << 50) > 5 << 30, "the machine has too little memory"))
  func `panels get what the process leaves, and libhdf5 some of it`() {
    let (some, more) = (Self.panels(Self.limit), Self.panels(Self.limit + (1 << 30)))
    #expect(some < Self.limit && some > 8 << 20)
    // The process may have grown a little between two of them.
    #expect((more - some - (1 << 30)).magnitude < 64 << 20)
    let shared = Self.panels(Self.limit, readsThroughLibrary: true)
    #expect(some > shared && some - shared < 80 << 20)
  }

  @Test func `panels get no more than half of what the machine has left`() {
    #expect(Self.panels(1 << 50) <= MachineMemory.limit.bytes / 2)
  }

  @Test func `a process that has taken more than its limit still has some`() {
    let memory = PanelMemory(processLimit: 1, readsThroughLibrary: true)
    #expect(memory.byteCount == 8 << 20 && 1...4 ~= memory.workers)
    #expect(PanelMemory.leastProcessLimit == 72 << 20)
  }
}
