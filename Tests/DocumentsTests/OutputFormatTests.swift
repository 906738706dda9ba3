import Documents
import Testing

@Suite struct OutputFormatTests {
  @Test func `no two containers share a name, a file or an ending`() {
    for keys in [
      OutputFormat.allCases.map(\.rawValue), OutputFormat.allCases.flatMap(\.files),
      OutputFormat.allCases.compactMap(\.ending),
    ] {
      #expect(Set(keys).count == keys.count)
    }
  }

  @Test func `a container is found by its name, and no other is`() {
    for format in OutputFormat.allCases {
      #expect(OutputFormat(rawValue: format.rawValue) == format)
      #expect(format.support.format == format)
    }
    #expect(OutputFormat(rawValue: "zip") == nil)
  }

  @Test func `a container owns its files, and everything in its folders`() {
    #expect(OutputFormat.npz.owns("model.npz"))
    #expect(!OutputFormat.npz.owns("model.npz.old"))
    #expect(OutputFormat.bin.owns("weights/conv_W.bin"))
    #expect(!OutputFormat.bin.owns("weights"))
    #expect(OutputFormat.c.owns("model.h") && OutputFormat.c.owns("model.c"))
    #expect(OutputFormat.bin.names == ["weights"])
    #expect(OutputFormat.tfjs.owns("model.json"))
    #expect(OutputFormat.tfjs.owns("group1-shard1of3.bin"))
    #expect(OutputFormat.onnx.owns("model.onnx") && OutputFormat.onnx.owns("model.onnx.data"))
    #expect(!OutputFormat.tfjs.owns("weights/group1-shard1of3.bin"))
  }

  @Test func `only a container that is one file stands alone`() {
    #expect(
      OutputFormat.allCases.map(\.fileName) == [
        nil, "model.netpack", "model.safetensors", nil, "model.npz", "model.gguf", nil,
        "model.rtneural.json",
        nil, "model.onnx", "model.tflite", nil,
      ])
    for format in OutputFormat.allCases where format.ending != nil {
      #expect(format.publishedName != nil)
    }
  }

  @Test func `what has no places is not read again`() {
    #expect(
      OutputFormat.readable.map(\.rawValue) == ["bin", "archive", "safetensors", "shards", "npz"])
    #expect(OutputFormat.whole == [.archive])
  }
}
