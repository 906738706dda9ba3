import Confinement
import Testing

@Suite("Addresses of a process that reads for another")
struct AddressSpaceTests {
  private static let purpose = HelperPurpose(
    argument: "serve", greeting: "netconv tests 1", deed: "tests are run", name: "a test",
    roomSize: 1 << 20, largestAnswer: 1, addressSpace: 12 << 30, processorTime: 1)

  @Test("they are no more than the purpose's, and than memory, what both share, and a reserve")
  func limits() {
    #expect(Self.purpose.addressSpace(memory: 16 << 30) == 12 << 30)
    #expect(Self.purpose.addressSpace(memory: 11 << 30) == 12 << 30)
    #expect(Self.purpose.addressSpace(memory: 2 << 30) == 3 << 30 + 1 << 20)
    // Libraries are mapped whatever there is.
    #expect(Self.purpose.addressSpace(memory: 0) == 1 << 30 + 1 << 20)
    #expect(Self.purpose.addressSpace(memory: .max) == 12 << 30)
  }
}
