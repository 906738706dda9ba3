import Pickles

/// The calls and imports that Python would execute while loading the pickles of a file; netconv executes none.
public struct PickleScan: Sendable {
  /// A name that a pickle refers to.
  public struct Name: Sendable {
    /// The pickle within the file.
    public let pickle: String
    /// The module, the name, and the number of calls.
    public let call: PickleCall
    /// True unless it is a known class or constructor of tensors and collections.
    public let isOutside: Bool
  }

  /// The names, in file order.
  public let names: [Name]

  init(_ pickles: [(name: String, pickle: Pickle)]) {
    names = pickles.flatMap { name, pickle in
      pickle.calls.map { call in
        Name(pickle: name, call: call, isOutside: !KnownConstructors.contain(call))
      }
    }
  }

  /// Concatenates the scans of several files; returns `nil` if there are none.
  init?(joining scans: [PickleScan]) {
    guard !scans.isEmpty else { return nil }
    names = scans.flatMap(\.names)
  }

  /// The number of calls that Python would execute.
  public var callCount: Int {
    names.reduce(0) { $0 + ($1.call.kind == .import ? 0 : $1.call.count) }
  }

  /// The names that are outside the known constructors, each once.
  public var outside: [String] {
    var seen: Set<String> = []
    return names.filter(\.isOutside).map(\.call.name).filter { seen.insert($0).inserted }
  }
}

/// The names that pickles of tensors need: constructors of PyTorch, NumPy and the standard library without side
/// effects.
///
/// Being in `torch` is not sufficient: `torch.hub.load` runs code from the network.
///
/// Source: torch/_weights_only_unpickler.py, `_get_allowed_globals`; numpy/_core/multiarray.py.
enum KnownConstructors {
  /// Returns true if a call is known to be harmless.
  static func contain(_ call: PickleCall) -> Bool {
    guard call.name.hasPrefix(call.module + ".") else { return false }
    let name = String(call.name.dropFirst(call.module.count + 1))
    return names[call.module]?.contains(name) ?? false || isPattern(call.module, name)
  }

  private static let names: [String: Set<String>] = [
    "collections": ["OrderedDict", "defaultdict", "Counter", "deque"],
    "_codecs": ["encode"],
    "builtins": [
      "set", "frozenset", "dict", "list", "tuple", "bytearray", "bytes", "complex",
      "slice", "int", "float", "str", "bool", "object", "range",
    ],
    "__builtin__": [
      "set", "frozenset", "dict", "list", "tuple", "bytearray", "complex", "int",
      "long", "float", "str", "unicode", "bool", "object", "slice",
    ],
    "copyreg": ["_reconstructor"], "copy_reg": ["_reconstructor"],
    "torch": [
      "Size", "device", "dtype", "Tensor", "strided", "sparse_coo", "contiguous_format",
      "channels_last", "preserve_format", "per_tensor_affine", "per_channel_affine", "tensor",
    ],
    "torch._tensor": ["_rebuild_from_type", "_rebuild_from_type_v2"],
    "torch.nn.parameter": ["Parameter", "Buffer", "UninitializedParameter"],
    "torch.serialization": ["_get_layout"],
    "torch.jit._pickle": [
      "restore_type_tag", "build_intlist", "build_tensorlist",
      "build_doublelist", "build_boollist",
    ],
    "numpy": ["dtype", "ndarray"],
    "numpy.core.multiarray": ["_reconstruct", "scalar"],
    "numpy._core.multiarray": ["_reconstruct", "scalar"],
    "numpy.core.numeric": ["_frombuffer"], "numpy._core.numeric": ["_frombuffer"],
  ]

  private static func isPattern(_ module: String, _ name: String) -> Bool {
    // In protocol 4 a name can be a path through modules: torch, os.system.
    guard !name.contains(".") else { return false }
    if module == "torch" || module == "torch.cuda" || module == "torch.storage" {
      return TorchType(ofStorage: name) != nil || name == "TypedStorage" || name == "_TypedStorage"
        || module == "torch" && (TorchType(named: name) != nil || name.hasSuffix("Tensor"))
    }
    if module == "torch._utils" { return name.hasPrefix("_rebuild_") }
    if module == "numpy" || module == "numpy.dtypes" {
      return ["float", "int", "uint", "complex", "bool", "Float", "Int", "UInt"].contains(
        where: name.hasPrefix)
    }
    // Classes of layers, and of TorchScript programs.
    return
      (module.hasPrefix("torch.nn.modules.") || module.hasPrefix("torch.nn.backends.")
      || module == "__torch__" || module.hasPrefix("__torch__."))
      && name.first?.isUppercase ?? false
  }
}
