import Datasets
import Files
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing
import Zlib

/// Checkpoints that TensorFlow wrote, with their values as read by TensorFlow.
@Suite("TensorFlow checkpoints")
struct TensorFlowCheckpointTests {
  private static func read(
    _ path: String, architecture: String? = nil
  ) throws -> ReadSource {
    try ReaderRegistry.read(
      path,
      ReaderOptions(
        architecture: architecture.map { Architecture($0) }, acceptsWeights: architecture == nil))
  }

  static func fixture(_ name: String) -> String { Fixtures.path("tensorflow/\(name)") }

  /// Each folder with a checkpoint, and the weights in it: as many as there are variables that are no state of training.
  static let folders: [(name: String, weights: Int)] = [
    ("v2-plain", 4), ("v1-plain", 4), ("v2-partitioned", 4), ("v1-partitioned", 4),
    ("v2-shards", 6), ("v2-sliced", 3), ("v2-types", 16), ("v1-types", 12), ("v2-blocks", 60),
    ("v2-keras2", 10), ("v2-keras2-legacy", 10), ("v2-object", 10), ("v2-module", 6),
    ("v2-keras3", 10), ("v2-keras3-model", 10),
  ]

  @Test("values are those that TensorFlow reads", arguments: folders)
  func values(folder: (name: String, weights: Int)) throws {
    let source = try Self.read(Self.fixture(folder.name))
    let expected = try numbers(Self.fixture("\(folder.name).npz"))
    let tensors = source.network.tensors
    #expect(tensors.count == folder.weights)
    for tensor in tensors {
      let path = tensor.stored.path
      let array = try #require(expected[path], "\(path)")
      #expect(tensor.storedShape == array.shape, "\(path)")
      let values = try tensor.values()
      #expect(values.map(\.bitPattern) == array.values.map(\.bitPattern), "\(path)")
    }
  }

  /// The numeric arrays of a file; complex ones are skipped.
  private func numbers(_ path: String) throws -> [String: NumpyArray] {
    let archive = try ZipArchive(RandomAccessFile(path: path))
    var numbers: [String: NumpyArray] = [:]
    for entry in archive.entries {
      let bytes = try archive.contents(of: entry, limit: 1 << 20)
      numbers[String(entry.name.dropLast(".npy".count))] = try? NumpyArray(bytes)
    }
    return numbers
  }

  @Test("parts of a tensor are those of the whole, wherever they begin and end")
  func parts() throws {
    for name in ["v2-sliced", "v1-types", "v1-partitioned"] {
      for tensor in try Self.read(Self.fixture(name)).network.tensors {
        try requireParts(of: tensor)
      }
    }
  }

  @Test(
    "what is no weight is left out, and listed by role",
    arguments: [
      (
        "v2-plain",
        "12 variables are not weights and were left out: counters: 'beta1_power', 'beta2_power', 'global_step'; slots of an "
          + "optimizer: 'conv1/W/Adam', 'conv1/W/Adam_1', 'conv1/b/Adam', 'conv1/b/Adam_1', 'fc1/W/Adam', "
          + "'fc1/W/Adam_1', 'fc1/b/Adam', 'fc1/b/Adam_1'; texts: 'note'"
      ),
      ("v2-keras3-model", ""),
    ])
  func leftOut(name: String, line: String) throws {
    #expect(try Self.read(Self.fixture(name)).notes.map(\.line).joined() == line)
  }

  @Test("layers are scopes, in the words of the program where it has some for each weight")
  func layers() throws {
    func names(_ name: String) throws -> [String] {
      try Self.read(Self.fixture(name)).network.tensors.map { "\($0.layer) \($0.spec.role)" }
    }
    #expect(
      try names("v1-plain") == ["conv1 kernel", "conv1 bias", "fc1 kernel", "fc1 bias"])
    let keras = [
      "conv1 kernel", "conv1 bias", "bn1 gamma", "bn1 beta", "bn1 mean", "bn1 variance",
      "fc1 kernel", "fc1 bias", "fc2 kernel", "fc2 bias",
    ]
    #expect(try names("v2-keras2") == keras)
    #expect(try names("v2-keras2-legacy") == keras)
    #expect(try names("v2-keras3") == keras.map { "small/\($0)" })
  }

  @Test("any file of a checkpoint, its name, its folder and its list are the checkpoint")
  func paths() throws {
    let prefix = Self.fixture("v2-plain/model.ckpt-120")
    let all = [
      prefix, prefix + ".index", prefix + ".data-00000-of-00001", Self.fixture("v2-plain"),
      Self.fixture("v2-plain/checkpoint"),
    ]
    for path in all {
      let source = try Self.read(path)
      #expect(source.path == path)
      #expect(source.network.name == "model.ckpt-120")
      #expect(source.files.map(\.size) == (try Self.read(prefix).files.map(\.size)))
    }
    #expect(try Self.read(Self.fixture("v1-plain/checkpoint")).network.name == "model.ckpt-120")
  }

  @Test("a folder that was moved has its own newest checkpoint")
  func moved() throws {
    let folder = try TemporaryFolder()
    for ending in [".index", ".data-00000-of-00001"] {
      try folder.copy(Self.fixture("deep-v2.ckpt" + ending), to: "größe 3\(ending)")
    }
    try folder.write(
      "model_checkpoint_path: \"/gone/gr\\303\\266\\303\\237e 3\"\n", to: "checkpoint")
    #expect(try Self.read(folder.path).network.name == "größe 3")
  }

  @Test(
    "with an architecture a checkpoint is the Keras file",
    arguments: ["deep-v1.ckpt", "deep-v2.ckpt", "deep-meta"],
    ["deep.json", "deep.h5", "deep.keras"])
  func bound(name: String, architecture: String) throws {
    let bound = try Self.read(
      Self.fixture(name), architecture: Self.fixture(architecture)
    ).model
    let keras = try Self.read(Self.fixture("deep.h5"), architecture: nil).model
    #expect(bound.tensors.count == 8)
    for (a, b) in zip(bound.tensors, keras.tensors) {
      #expect([a.layer, a.spec.role.rawValue] == [b.layer, b.spec.role.rawValue])
      #expect(a.layout == b.layout)
      #expect(try a.values() == b.values())
    }
  }

  /// The network of Keras whose checkpoints are among the fixtures, its dense layers called otherwise.
  private func architecture(_ first: String, _ second: String) -> String {
    """
    {"class_name": "Sequential", "keras_version": "2.15.0", "config": {"name": "small", "layers": [
      {"class_name": "InputLayer", "config": {"name": "image", "batch_input_shape": [null, 6, 5, 2]}},
      {"class_name": "Conv2D", "config": {"name": "conv1", "filters": 3, "kernel_size": [3, 3]}},
      {"class_name": "BatchNormalization", "config": {"name": "bn1", "axis": [3]}},
      {"class_name": "ReLU", "config": {"name": "relu1"}},
      {"class_name": "Flatten", "config": {"name": "flatten"}},
      {"class_name": "Dense", "config": {"name": "\(first)", "units": 7}},
      {"class_name": "Dense", "config": {"name": "\(second)", "units": 4}}]}}
    """
  }

  /// Checkpoints of that network by objects, of several versions of Keras, with and without optimizers.
  private static let objects = [
    "v2-keras2", "v2-keras2-legacy", "v2-object", "v2-keras3", "v2-keras3-model",
  ]

  @Test("objects are bound by their order, not by names", arguments: objects)
  func boundObjects(name: String) throws {
    let folder = try TemporaryFolder()
    let alone = try Self.read(Self.fixture(name)).network.tensors
    for (first, second) in [("fc1", "fc2"), ("dense_8", "dense_9")] {
      let source = try Self.read(
        Self.fixture(name),
        architecture: folder.write(architecture(first, second), to: "model.json"))
      let bound = try source.model.tensors
      #expect(
        bound.map(\.layer) == ["conv1", "conv1", "bn1", "bn1", "bn1", "bn1"] + [
          first, first, second, second,
        ])
      #expect(source.notes.allSatisfy { !$0.isWarning })
      for tensor in bound {
        let values = try tensor.values()
        let same = try alone.filter { try $0.values() == values }
        #expect(same.contains { $0.spec.role == tensor.spec.role })
      }
    }
  }

  @Test("layers that are called after each other are a warning")
  func exchangedNames() throws {
    let folder = try TemporaryFolder()
    let source = try Self.read(
      Self.fixture("v2-keras2"),
      architecture: folder.write(architecture("fc2", "fc1"), to: "model.json"))
    #expect(
      source.notes.filter(\.isWarning).map(\.line) == [
        "the order of layers, by which TensorFlow restores weights, is not that of their names; check that the "
          + "architecture is the checkpoint's: 'fc2': 'fc1/kernel'; 'fc2': 'fc1/bias'; 'fc1': 'fc2/kernel'; 'fc1': "
          + "'fc2/bias'"
      ])
  }

  @Test("tensors have a checksum that converting still has to look at; of version 1, blocks have")
  func checksums() throws {
    let two = try Self.read(Self.fixture("deep-v2.ckpt"))
    #expect(two.unchecked.map(\.name) == two.network.tensors.map(\.stored.path).sorted())
    let one = try Self.read(Self.fixture("deep-v1.ckpt"))
    #expect(one.unchecked.map(\.name) == ["conv1/bias to fc2/kernel"])
  }
}
