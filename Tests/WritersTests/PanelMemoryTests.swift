import Testing
import Writers

@Suite struct PanelMemoryTests {
  @Test func `a worker has one panel and two pieces`() {
    // 8 MiB for two workers are 1,048,576 values for each, of which 2 x 65,536 are pieces.
    #expect(PanelMemory(byteCount: 8 << 20, workers: 2).panelCount == 917_504)
    #expect(PanelMemory(byteCount: 100, workers: 4).panelCount == 1)
  }

  @Test func `panels get what the process leaves, and libhdf5 some of it`() {
    let limits = [16 << 30, 17 << 30]
    let bytes = limits.map { PanelMemory(processLimit: $0, readsThroughLibrary: false).byteCount }
    let shared = limits.map { PanelMemory(processLimit: $0, readsThroughLibrary: true).byteCount }
    #expect(bytes[0] < limits[0] && bytes[0] > limits[0] / 2)
    // The process may have grown a little between two of them.
    #expect((bytes[1] - bytes[0] - (1 << 30)).magnitude < 64 << 20)
    #expect(bytes[0] > shared[0] && bytes[0] - shared[0] < 80 << 20)
  }

  @Test func `a process that has taken more than its limit still has some`() {
    let memory = PanelMemory(processLimit: 1, readsThroughLibrary: true)
    #expect(memory.byteCount == 8 << 20 && 1...4 ~= memory.workers)
    #expect(PanelMemory.leastProcessLimit == 72 << 20)
  }
}
