import Datasets
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// TensorFlow Lite weights, with NumPy's products of integers and scales as the oracle.
@Suite("Weights of TensorFlow Lite are what the file says")
struct TFLiteWeightTests {
  private static func fixture(_ name: String) -> String { Fixtures.path("tflite/\(name)") }

  private static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: fixture(""))) ?? []
    return files.filter { $0.hasSuffix(".weights.npz") }
      .map { String($0.dropLast(".weights.npz".count)) }.sorted()
  }()

  private static func source(_ name: String) throws -> ReadSource {
    try ReaderRegistry.read(
      fixture("\(name).tflite"), ReaderOptions(acceptsWeights: true))
  }

  @Test("fixtures are found")
  func fixtures() { #expect(Self.names.count >= 5) }

  @Test("every constant, value by value", arguments: names)
  func values(name: String) throws {
    let stored = try arrays(Self.fixture("\(name).weights.npz"))
    let source = try Self.source(name)
    #expect(source.problem == nil || name.hasPrefix("refused-"))
    let tensors = source.network.tensors
    #expect(tensors.count == stored.count)
    for tensor in tensors {
      let expected = try #require(stored[tensor.stored.path], "\(tensor.stored.path)")
      // Layouts from the graph split the merged channels of a depthwise kernel.
      if source.problem != nil { #expect(tensor.storedShape == expected.shape) }
      #expect(try tensor.values() == expected.values)
    }
  }

  @Test("kernels have the layouts of their operators")
  func layouts() throws {
    let weights = try Self.source("refused-kinds").network.weights
    #expect(
      weights.layers.map { $0.origin?.className } == [
        "CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV", "PRELU", "FULLY_CONNECTED", "ADD",
      ])
    let tensors = weights.tensors
    #expect(
      tensors.map { "\($0.spec.role) \($0.storedLayout)" } == [
        "kernel OHWI", "bias O", "kernel 1HW(IM)", "bias O", "kernel OHWI", "bias O", "alpha PQR",
        "kernel OI", "bias O", "value ()",
      ])
    #expect(tensors[2].spec.sizes[.inputChannels] == 6)
    #expect(tensors[2].spec.sizes[.multiplier] == 3)
    #expect(weights.layers.first?.name == "net/grouped")
  }

  @Test("integers that stand for themselves are left out, and scales are spoken of")
  func notes() throws {
    let source = try Self.source("refused-kinds")
    #expect(source.leftOutCount == 2)
    #expect(
      source.notes.map(\.line) == [
        "1 weight of integers is read as the numbers that its scales give: 'c7'",
        "2 constants of integers are no weights, and left out: 'c10', 'c19'",
      ])
  }

  @Test("values that are stored without zeros are refused by name")
  func sparse() throws {
    #expect(
      thrown { try Self.source("refused-sparse") }?.message.contains(
        "the values are stored without zeros, which is not read") ?? false)
  }
}
