import Datasets
import ModelIR
import Readers
import TestSupport
import Testing

/// Files that PyTorch wrote, with their tensors as read by NumPy.
@Suite("PyTorch files")
struct TorchTests {
  static func fixture(_ name: String) -> String { Fixtures.path("pytorch/\(name)") }

  static func read(_ name: String, entry: String? = nil) throws -> ReadSource {
    try ReaderRegistry.read(
      fixture(name), ReaderOptions(acceptsWeights: true, graph: GraphSelection(entry: entry)))
  }

  /// A file, the name of its expectations, and the requested entry.
  static let files: [(name: String, expected: String, entry: String?)] = [
    ("state.pt", "state", nil),
    ("state-old.pth", "state", nil), ("state-old-protocol1.pth", "state", nil),
    ("state-old-protocol5.pth", "state", nil), ("module.pt", "small", nil),
    ("types.pt", "types", nil), ("types-old.pth", "types-old", nil),
    ("types-big-endian.pt", "types", nil), ("types-deflated.pt", "types", nil),
    ("float8.pt", "float8", nil),
    ("views.pt", "views", nil), ("views-old.pth", "views", nil),
    ("module-old.pth", "module-old", nil), ("module-own.pt", "module-own", nil),
    ("script.pt", "small", nil), ("lightning.ckpt", "lightning", nil), ("two.pt", "two", "ema"),
    ("groups.pt", "groups", "params"), ("list.pt", "list", "."), ("tensor.pt", "tensor", nil),
    ("arrays.pt", "arrays", nil), ("arrays-protocol2.pkl", "arrays", nil),
    ("arrays-protocol3.pkl", "arrays", nil), ("arrays-protocol4.pkl", "arrays", nil),
    ("arrays-protocol5.pkl", "arrays", nil),
  ]

  @Test("names, shapes and values are those of the library", arguments: files)
  func values(file: (name: String, expected: String, entry: String?)) throws {
    let tensors = try Self.read(file.name, entry: file.entry).network.tensors
    let expected = try NumpyArchive.read(Self.fixture(file.expected + ".npz"))
    #expect(tensors.map(\.stored.path) == expected.map(\.name))
    for (tensor, array) in zip(tensors, expected) {
      let shape = array.array.shape
      #expect(tensor.storedShape == shape, "\(array.name)")
      #expect(
        try tensor.values().map(\.bitPattern) == array.array.values.map(\.bitPattern),
        "\(array.name)")
    }
  }

  @Test("parts of a view are those of the whole, wherever they begin and end")
  func parts() throws {
    for tensor in try Self.read("views.pt").network.tensors { try requireParts(of: tensor) }
  }

  @Test("layers are what stands before the last dot, roles what PyTorch's layers have")
  func roles() throws {
    #expect(
      try Self.read("state.pt").network.tensors.map { "\($0.layer) \($0.spec.role)" } == [
        "conv1 kernel", "conv1 bias", "bn1 gamma", "bn1 beta", "bn1 mean", "bn1 variance",
        "act kernel", "norm gamma", "norm beta", "lstm input_kernel", "lstm recurrent",
        "lstm input_bias", "lstm recurrent_bias",
      ])
    // One layer alone has no name of its own.
    #expect(
      try Self.read("module-old.pth").network.tensors.map { "\($0.layer) \($0.spec.role)" } == [
        "module-old kernel", "module-old bias",
      ])
  }

  static let notes: [(String, String?, [String])] = [
    (
      "state.pt", nil,
      ["1 buffer of integers is not a weight and was left out: 'bn1.num_batches_tracked'"]
    ),
    (
      "lightning.ckpt", nil,
      [
        "the weights are those of 'state_dict'",
        "13 tensors are not weights and were left out: tensors of an optimizer: "
          + "'optimizer_states.0.state.0.step', 'optimizer_states.0.state.0.exp_avg', "
          + "'optimizer_states.0.state.0.exp_avg_sq', 'optimizer_states.0.state.1.step', "
          + "'optimizer_states.0.state.1.exp_avg', 'optimizer_states.0.state.1.exp_avg_sq', "
          + "'optimizer_states.0.state.2.step', 'optimizer_states.0.state.2.exp_avg', "
          + "'optimizer_states.0.state.2.exp_avg_sq', 'optimizer_states.0.state.3.step', "
          + "'optimizer_states.0.state.3.exp_avg', 'optimizer_states.0.state.3.exp_avg_sq'; tensors beside the "
          + "weights: 'callbacks.EarlyStopping{'monitor': 'loss'}.best_score'",
        "1 buffer of integers is not a weight and was left out: 'model.1.num_batches_tracked'",
      ]
    ),
    (
      "module-own.pt", nil,
      [
        "the weights are those of 'model'",
        "1 tensor is not a weight and was left out: buffers that the module does not save: 'model.scratch'",
        "1 buffer of integers is not a weight and was left out: 'position'",
      ]
    ),
    (
      "views.pt", nil,
      [
        "tensors share their values, and each is written on its own: 'whole.weight', 'tied.weight'"
      ]
    ),
  ]

  @Test("what is left out is listed by what it is", arguments: notes.indices)
  func listed(index: Int) throws {
    let (name, entry, lines) = Self.notes[index]
    let found = try Self.read(name, entry: entry).notes
    #expect(found.map(\.line) == lines)
    #expect(!found.contains { $0.isWarning })
  }

  @Test("of several networks one is chosen, and nobody guesses")
  func entries() throws {
    #expect(
      thrown { try Self.read("two.pt") }?.lines.map(\.description) == [
        Self.fixture("two.pt") + ": holds 2 sets of weights; choose one with 'entry'",
        "  'model' (7 tensors)", "  'ema' (7 tensors)",
      ])
    #expect(
      thrown { try Self.read("two.pt", entry: "emma") }?.lines.map(\.description) == [
        Self.fixture("two.pt") + ": 'entry' names 'emma', which holds no weights; there are",
        "  'model' (7 tensors)", "  'ema' (7 tensors)",
      ])
    // What was asked for by its name is no weight only to others.
    let optimizer = try Self.read("two.pt", entry: "optimizer").network.tensors
    #expect(optimizer.count == 12)
    #expect(optimizer.allSatisfy { $0.stored.path.hasPrefix("state.") })
    let whole = try Self.read("two.pt", entry: ".").network.tensors.map(\.stored.path)
    #expect(whole.filter { $0.hasPrefix("ema.") }.count == 6)
    #expect(whole.filter { $0.hasPrefix("model.") }.count == 6)
  }

  @Test("each tensor that is not read is named, with the reason")
  func unread() throws {
    #expect(
      thrown { try Self.read("unread.pt") }?.lines.map(\.description) == [
        Self.fixture("unread.pt") + ": has 7 tensors that netconv does not read",
        "  'complex.weight' is of the type complex64",
        "  'sparse.weight' is sparse", "  'rows.weight' is sparse", "  'nested.weight' is nested",
        "  'quantised.weight' is quantised",
        "  'meta.weight' is on the device 'meta', without values",
        "  'negative.weight' is a view that PyTorch changes as it reads it (neg)",
      ])
  }

  /// Files that no version of PyTorch writes, or that it does not read itself.
  static let hostile: [(String, String)] = [
    (
      "terabytes.pt",
      "has a tensor that netconv does not read\n  'w' the storage 'data/0' has 16 bytes, expected 1099511627776 "
        + "values of float32; copy or download the file again"
    ),
    (
      "repeated.pt",
      "has a tensor that netconv does not read\n  'w' repeats the 4 values of its storage as [1048576, 1048576], "
        + "more than 67108864 in all; save it after tensor.contiguous()"
    ),
    (
      "outside.pt",
      "has a tensor that netconv does not read\n  'w' reaches beyond its storage of 4 values: [2, 2] with strides "
        + "[3, 1] from 0 on; the file is damaged"
    ),
    (
      "backwards.pt",
      "has a tensor that netconv does not read\n  'w' has the offset 0 and the strides [-1], expected none below 0; "
        + "the file is damaged"
    ),
    (
      "missing.pt",
      "has a tensor that netconv does not read\n  'w' needs the storage 'data/7', which is missing; the file is "
        + "damaged"
    ),
    ("deep.pt", "has tensors in more than 64 nested dictionaries"),
    ("laughs.pt", "has more than 65536 tensors, shared ones counted each time"),
    (
      "overlap.pt", "the storages 'x/data/0' and 'x/data/1' overlap in the file, which is damaged"
    ),
    (
      "tensor-old-protocol0.pth",
      "was written with protocol 0, in which the storages of tensors have no names that PyTorch reads; save it "
        + "again with another one"
    ),
  ]

  @Test("what lies about itself is refused by what is wrong", arguments: hostile.indices)
  func refused(index: Int) throws {
    let (name, message) = Self.hostile[index]
    let error = thrown { try Self.read(name) }
    #expect(error?.kind == .badData)
    #expect(error?.description == Self.fixture(name) + ": " + message)
  }

  @Test("values stay in the file, and what has a checksum is known")
  func unchecked() throws {
    let source = try Self.read("state.pt")
    #expect(source.format == "pytorch")
    #expect(source.network.tensors.allSatisfy { $0.stored.source.elementType == .float32 })
    #expect(source.unchecked.contains { $0.name.hasSuffix("data.pkl") })
    #expect(source.unchecked.filter { $0.name.contains("/data/") }.count == 14)
  }
}
