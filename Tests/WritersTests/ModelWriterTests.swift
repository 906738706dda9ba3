import Documents
import Files
import Foundation
import ModelIR
import Operators
import TestSupport
import Testing
import Writers
import Zlib

@Suite struct ModelWriterTests {
  private let folder: TemporaryFolder
  private var output: String { folder.file("out") }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `a folder holds manifest, blobs and archive, and nothing else is left`() throws {
    let manifest = try write(smallModel(), to: output)
    #expect(
      try folder.files() == [
        "out/manifest.json", "out/model.netpack", "out/weights/conv_W.bin",
        "out/weights/conv_b.bin",
      ])
    #expect(try Directory.names(in: folder.path) == ["out"])
    #expect(try folder.bytes("out/weights/conv_W.bin") == littleEndian(arrangedKernel))
    #expect(try folder.bytes("out/weights/conv_b.bin") == littleEndian([-2, -1, 0, 1, 2]))
    #expect(try folder.bytes("out/manifest.json") == manifest.encoded())
  }

  @Test func `the archive holds the same tensors and the same manifest, last`() throws {
    let manifest = try write(smallModel(), to: output)
    let archive = try ZipArchive(RandomAccessFile(path: output + "/model.netpack"))
    #expect(
      archive.entries.map(\.name) == ["weights/conv_W.bin", "weights/conv_b.bin", "manifest.json"])
    for entry in archive.entries {
      #expect(
        try archive.contents(of: entry, limit: 1 << 20) == folder.bytes("out/\(entry.name)"))
    }
    #expect(
      manifest.tensors.map { $0.places["archive"]?.offset }
        == archive.entries.prefix(2).map(\.dataOffset))
  }

  @Test func `the manifest says what was written`() throws {
    let manifest = try write(smallModel(), to: output)
    #expect(manifest.formats == ["bin", "archive"])
    #expect(manifest.dtype == "float32")
    let kernel = manifest.tensors[0]
    #expect(kernel.name == "conv_W" && kernel.layer == "conv" && kernel.role == "kernel")
    #expect(kernel.layout == "OHWI" && kernel.shape == [5, 2, 3, 4])
    #expect(kernel.source.path == "/conv/kernel:0" && kernel.source.dtype == "float32")
    #expect(kernel.source.layout == "HWIO" && kernel.source.shape == [2, 3, 4, 5])
    #expect(kernel.rearrangement.pattern == "h w i o -> o h w i")
    #expect(kernel.length == 480 && kernel.place.file == "weights/conv_W.bin" && kernel.supported)
    #expect(
      kernel.sha256 == "e4a13e13b56ce3e887fe03abab8aaf32113717583edb795fb99c8b991f2e0491")
    let parameters = try #require(manifest.model?.layers.first).parameters
    #expect(parameters.map(\.file) == manifest.tensors.map(\.place.file))
    #expect(parameters.map(\.shape) == [[5, 2, 3, 4], [5]])
  }

  @Test func `formats can be left out, the manifest cannot`() throws {
    let plain = try write(smallModel(), to: folder.file("plain"), formats: [.bin])
    #expect(plain.tensors.map { $0.places["archive"] } == [nil, nil])
    try write(smallModel(), to: folder.file("packed"), formats: [.archive])
    #expect(
      try folder.files() == [
        "packed/manifest.json", "packed/model.netpack", "plain/manifest.json",
        "plain/weights/conv_W.bin", "plain/weights/conv_b.bin",
      ])
  }

  @Test func `a name that ends in netpack is one file`() throws {
    try write(smallModel(), to: folder.file("out.netpack"))
    #expect(try Directory.names(in: folder.path) == ["out.netpack"])
    let archive = try ZipArchive(RandomAccessFile(path: folder.file("out.netpack")))
    #expect(archive.entries.last?.name == "manifest.json")
  }

  @Test func `the same model gives the same bytes`() throws {
    try write(smallModel(), to: folder.file("a"))
    try write(smallModel(), to: folder.file("b/"))
    for name in ["manifest.json", "model.netpack", "weights/conv_W.bin"] {
      #expect(try folder.bytes("a/\(name)") == folder.bytes("b/\(name)"))
    }
  }

  @Test func `layers that share parameters share files`() throws {
    func dense(_ name: String, _ input: String, owner: String?) -> LayerDefinition {
      LayerDefinition(
        name: name, operation: Dense(units: 2), inputs: [input],
        parameters: [
          .kernel: StoredTensor(
            source: ArraySource([1, 2, 3, 4]), layout: nil, shape: nil, path: "p")
        ], parameterOwner: owner)
    }
    let model = try Model(
      name: "m", inputs: [ModelInput(name: "x", shape: Shape([2]))],
      layers: [dense("a", "x", owner: nil), dense("b", "a", owner: "a")], outputs: ["b"])
    let manifest = try write(model, to: output)
    #expect(manifest.tensors.map(\.place.file) == ["weights/a_W.bin"])
    #expect(
      manifest.model?.layers.flatMap(\.parameters).map(\.file)
        == ["weights/a_W.bin", "weights/a_W.bin"])
    #expect(manifest.model?.layers.map(\.sharesParametersOf) == [nil, "a"])
  }

  @Test func `progress is told of each tensor, in order`() throws {
    var seen: [String] = []
    try write(smallModel(), to: output, progress: { seen.append("\($0.name) \($0.byteCount)") })
    #expect(seen == ["conv_W 480", "conv_b 20"])
  }

  @Test(arguments: ["out", "out.netpack"])
  func `a source that changes is never published`(name: String) throws {
    let flickering = FlickeringSource(count: 120, changes: [3: 1])
    let error = thrown { try write(smallModel(kernel: flickering), to: folder.file(name)) }
    #expect(error?.kind == .internal)
    #expect(
      error?.description
        == "layer 'conv', tensor 'kernel': value 3 was written as 3.0, but the source has 4.0; "
        + "nothing was published, please report this")
    #expect(try Directory.names(in: folder.path) == [])
  }

  @Test func `what fails leaves the old output`() throws {
    try write(smallModel(), to: output)
    let old = try folder.bytes("out/manifest.json")
    let source = FailingSource(count: 120, failure: NetconvError(.inputOutput, "is gone"))
    #expect(
      thrown { try write(smallModel(kernel: source, name: "new"), to: output, force: true) }?
        .description == "layer 'new', tensor 'kernel': is gone")
    #expect(try folder.bytes("out/manifest.json") == old)
    #expect(try Directory.names(in: folder.path) == ["out"])
  }

  @Test func `a source that cannot be hashed leaves nothing`() throws {
    let failure = NetconvError(.badData, "is damaged")
    for name in ["out", "out.netpack"] {
      let error = thrown {
        try write(smallModel(), to: folder.file(name), sourceFailure: failure)
      }
      #expect(error?.description == "is damaged")
      #expect(try Directory.names(in: folder.path).isEmpty)
    }
  }

  @Test func `stopped anywhere, nothing is left`() throws {
    let stop = NetconvError(.interrupted, "stop")
    for name in ["out", "out.netpack"] {
      var limit = 1
      while true {
        let checks = Counter()
        let stopAt = limit
        let error = thrown {
          try write(
            smallModel(), to: folder.file(name),
            checkCancellation: { () throws(NetconvError) in
              if checks.next() == stopAt { throw stop }
            })
        }
        guard let error else { break }
        #expect(error.kind == .interrupted)
        #expect(!(try Directory.names(in: folder.path)).contains { $0.hasPrefix(".") })
        #expect(try Directory.kind(of: folder.file(name)) == nil)
        limit += 1
      }
      // Two tensors written, proved and hashed, and once before the output is published.
      #expect(limit == 8)
    }
  }
}
