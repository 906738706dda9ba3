import ModelIR
import Numpy
import Pickles

/// The interpretation of a pickled value; indirect, because a pickle can have very many.
indirect enum TorchMeaning: Sendable {
  case tensor(TorchTensor)
  /// A NumPy array.
  case array(PickledArray)
  /// An unsupported tensor, with the reason.
  case refused(NetconvError)
  /// Named values.
  case container(TorchContainer)
  /// Any other value: numbers, text, and unknown objects.
  case other
}

/// Named values, in file order.
struct TorchContainer: Sendable {
  /// The kind of collection.
  enum Kind: Sendable {
    case dictionary
    /// A list or tuple; the names are indices.
    case list
    /// A NumPy array that wraps a single object, which has no name.
    case wrapper
    /// A PyTorch module: its parameters, buffers and submodules.
    case module
  }

  let kind: Kind
  let members: [(name: String, value: PickleValue)]
  /// The names that the module itself does not save.
  var unsaved: Set<String> = []

  /// True if it is the state of an optimizer.
  ///
  /// Source: torch/optim/optimizer.py, `state_dict`.
  var isOptimizer: Bool {
    guard case .dictionary = kind else { return false }
    return members.contains { $0.name == "param_groups" } && members.contains { $0.name == "state" }
  }
}

/// Interprets the values of a pickle without calling anything; unknown values stay opaque.
struct TorchInterpreter: Sendable {
  let pickle: Pickle
  /// True if objects have tensors as plain attributes, as in TorchScript.
  private let isScript: Bool
  /// The folder of the storages, which are numbered within each folder.
  private let folder: String
  /// The storage class that each name of the pickle denotes; `nil` if it is not a storage class.
  private let storageTypes: [TorchType?]

  init(pickle: Pickle, isScript: Bool = false, folder: String = "") {
    self.pickle = pickle
    self.isScript = isScript
    self.folder = folder
    storageTypes = pickle.names.map { global in
      global.module == "torch" || global.module.hasPrefix("torch.")
        ? TorchType(ofStorage: global.name) : nil
    }
  }

  /// The maximum number of nested wrappers around a tensor.
  private static let mostWrappers = 8

  /// Interprets a value.
  func meaning(of value: PickleValue) -> TorchMeaning {
    guard let object = pickle[value] else { return .other }
    guard case .call(let callee, let arguments) = object.kind else { return collection(object) }
    return meaning(ofCall: object, callee, arguments)
  }

  /// Interprets an object that requires no call.
  private func collection(_ object: PickleObject) -> TorchMeaning {
    switch object.kind {
    case .dictionary: .container(dictionary(object))
    case .list, .tuple: .container(list(object.elements))
    case .call, .set, .frozenSet, .global, .registered, .persistent: .other
    }
  }

  private func list(_ elements: [PickleValue]) -> TorchContainer {
    TorchContainer(kind: .list, members: elements.enumerated().map { (String($0), $1) })
  }

  private func dictionary(_ object: PickleObject) -> TorchContainer {
    TorchContainer(
      kind: .dictionary, members: pickle.items(of: object).map { (name(of: $0.key), $0.value) })
  }

  private func name(of key: PickleValue) -> String {
    switch key {
    case .text(let text): text
    case .integer(let number): String(number)
    case .bool(let value): value ? "True" : "False"
    case .float(let number): String(number)
    case .none: "None"
    case .wideInteger, .bytes, .object: "?"
    }
  }

  // MARK: - Calls

  private func meaning(
    ofCall object: PickleObject, _ callee: PickleValue, _ arguments: [PickleValue]
  ) -> TorchMeaning {
    let name = calleeName(callee)
    switch name {
    case "collections.OrderedDict", "collections.defaultdict", "collections.Counter":
      return .container(ordered(object, arguments))
    case "torch.jit._pickle.restore_type_tag", "torch.jit._pickle.build_tensorlist":
      // A nested wrapper is not unwrapped further.
      return arguments.first.flatMap { pickle[$0] }.map(collection) ?? .other
    default: break
    }
    if let array = PickledArray.meaning(of: object, name, arguments, pickle) { return array }
    if let tensor = tensor(name, arguments) { return tensor }
    return module(object, name) ?? .other
  }

  /// Combines the pairs passed to the constructor, as in Python 2, with those set later.
  private func ordered(_ object: PickleObject, _ arguments: [PickleValue]) -> TorchContainer {
    var pairs: [PickleValue] = []
    for argument in arguments {
      guard let given = pickle[argument] else { continue }
      pairs += given.pairs
      for pair in given.elements.compactMap({ pickle[$0] }) where pair.elements.count == 2 {
        pairs += pair.elements
      }
    }
    return dictionary(PickleObject(kind: .dictionary, pairs: pairs + object.pairs))
  }

  /// Returns the name of a class or function; a class with its source in the file is a persistent object.
  private func calleeName(_ callee: PickleValue) -> String {
    if let name = pickle.name(of: callee) { return name }
    guard let object = pickle[callee], object.kind == .persistent, let id = object.elements.first,
      let parts = pickle[id]?.elements, parts.count >= 2, parts[0] == .text("module")
    else { return "" }
    return pickle.name(of: parts[1]) ?? ""
  }

  // MARK: - Modules

  /// Source: torch/nn/modules/module.py, `Module.__init__` and `_save_to_state_dict`.
  private func module(_ object: PickleObject, _ name: String) -> TorchMeaning? {
    guard let state = object.state.flatMap({ pickle[$0] }) else { return nil }
    let attributes = attributes(state)
    if isScript, name.hasPrefix("__torch__.") {
      return .container(TorchContainer(kind: .module, members: attributes))
    }
    func members(_ name: String) -> [(name: String, value: PickleValue)]? {
      guard let part = attributes.first(where: { $0.name == name }),
        case .container(let container) = meaning(of: part.value), case .dictionary = container.kind
      else { return nil }
      return container.members
    }
    guard let parameters = members("_parameters"), let modules = members("_modules") else {
      return nil
    }
    let unsaved =
      attributes.first { $0.name == "_non_persistent_buffers_set" }
      .flatMap { pickle[$0.value] }.map(namesInSet) ?? []
    return .container(
      TorchContainer(
        kind: .module, members: parameters + (members("_buffers") ?? []) + modules,
        unsaved: Set(unsaved)))
  }

  /// Returns the attributes of an object; a class with slots has a pair of dictionaries.
  private func attributes(_ state: PickleObject) -> [(name: String, value: PickleValue)] {
    let state =
      state.kind == .tuple ? state.elements.first.flatMap { pickle[$0] } ?? state : state
    return dictionary(state).members
  }

  /// Returns the elements of a set, or of the list that a set is made from.
  private func namesInSet(_ object: PickleObject) -> [String] {
    var elements = object.elements
    if case .call(_, let arguments) = object.kind,
      let list = arguments.first.flatMap({ pickle[$0] })
    {
      elements += list.elements
    }
    return elements.map(name(of:))
  }

  // MARK: - Tensors

  /// Returns the tensor that a function would rebuild; `nil` if it is no such function.
  ///
  /// Source: torch/_utils.py; torch/_tensor.py, `_rebuild_from_type_v2`.
  private func tensor(_ name: String, _ arguments: [PickleValue]) -> TorchMeaning? {
    var (name, arguments) = (name, arguments)
    for _ in 0..<Self.mostWrappers {
      switch name {
      case "torch._utils._rebuild_tensor", "torch._utils._rebuild_tensor_v2":
        return view(arguments, type: nil)
      case "torch._utils._rebuild_tensor_v3":
        guard arguments.count > 6, let type = type(arguments[6]) else {
          return .refused(.torchArguments)
        }
        return view(arguments, type: type)
      case "torch._utils._rebuild_parameter", "torch._utils._rebuild_parameter_with_state",
        "torch.nn.parameter.Parameter", "torch.nn.parameter.Buffer":
        guard let inner = arguments.first, case .call(let callee, let others)? = pickle[inner]?.kind
        else { return .refused(.torchArguments) }
        (name, arguments) = (calleeName(callee), others)
      case "torch._tensor._rebuild_from_type", "torch._tensor._rebuild_from_type_v2":
        guard arguments.count > 2, let others = pickle[arguments[2]], others.kind == .tuple else {
          return .refused(.torchArguments)
        }
        (name, arguments) = (calleeName(arguments[0]), others.elements)
      default:
        if let what = Self.unread[name] { return .refused(.torchUnread(what)) }
        guard name.hasPrefix("torch._utils._rebuild_") else { return nil }
        return .refused(.torchUnread("made by \(escaped(name))"))
      }
    }
    return .refused(.torchArguments)
  }

  private static let unread = [
    "torch._utils._rebuild_sparse_tensor": "sparse",
    "torch._utils._rebuild_sparse_csr_tensor": "sparse",
    "torch._utils._rebuild_nested_tensor": "nested",
    "torch._utils._rebuild_qtensor": "quantised",
    "torch._utils._rebuild_meta_tensor_no_storage": "on the device 'meta', without values",
    "torch._utils._rebuild_wrapper_subclass": "of a class of its own",
    "torch._utils._rebuild_device_tensor_from_numpy": "of a device of its own",
    "torch._utils._rebuild_device_tensor_from_cpu_tensor": "of a device of its own",
  ]

  private func view(_ arguments: [PickleValue], type: TorchType?) -> TorchMeaning {
    // The optional dtype is followed by flags for lazily applied operations such as conjugation.
    let bits = arguments.dropFirst(type == nil ? 6 : 7).first.flatMap { pickle[$0] }
    let changes = bits.map { pickle.items(of: $0) } ?? []
    if let change = changes.first(where: { $0.value == .bool(true) }) {
      return .refused(
        .torchUnread("a view that PyTorch changes as it reads it (\(name(of: change.key)))"))
    }
    if case .call(let callee, _)? = arguments.first.flatMap({ pickle[$0] })?.kind,
      pickle.name(of: callee) == "torch.storage._load_from_bytes"
    {
      return .refused(.torchUnread("in a file within the pickle; save it with torch.save"))
    }
    guard arguments.count >= 4, let storage = storage(arguments[0]),
      case .integer(let offset) = arguments[1], let sizes = integers(arguments[2]),
      let strides = integers(arguments[3])
    else { return .refused(.torchArguments) }
    do throws(NetconvError) {
      let tensor = try TorchTensor(
        storage, type: type, offset: offset, sizes: sizes, strides: strides)
      guard tensor.type.elementType != nil || tensor.type.float8 != nil else {
        return .refused(.torchUnread("of the type \(tensor.type.name)"))
      }
      return .tensor(tensor)
    } catch {
      return .refused(error)
    }
  }

  private func integers(_ value: PickleValue) -> [Int]? {
    guard let object = pickle[value] else { return nil }
    // In some versions torch.Size is a call.
    var elements = object.elements
    if case .call(let callee, let arguments) = object.kind {
      guard calleeName(callee) == "torch.Size",
        let inner = arguments.first.flatMap({ pickle[$0] })
      else { return nil }
      elements = inner.elements
    }
    var numbers: [Int] = []
    numbers.reserveCapacity(elements.count)
    for element in elements {
      guard case .integer(let number) = element else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  private func type(_ value: PickleValue) -> TorchType? {
    guard let global = pickle.global(of: value), global.module == "torch" else { return nil }
    return TorchType(named: global.name)
  }

  /// Returns a persistent storage: `('storage', type, key, location, count)`, in older files with a view `(key,
  /// start, count)`.
  func storage(_ value: PickleValue) -> TorchStorage? {
    guard let object = pickle[value], object.kind == .persistent, let id = object.elements.first,
      let parts = pickle[id], parts.kind == .tuple, parts.elements.count >= 5,
      parts.elements[0] == .text("storage"), let type = storageType(parts.elements[1]),
      let key = key(parts.elements[2]), case .integer(let count) = parts.elements[4], count >= 0
    else { return nil }
    guard parts.elements.count > 5, let part = pickle[parts.elements[5]]?.elements, part.count >= 3
    else { return TorchStorage(key: key, type: type, count: count, part: 0..<count) }
    guard case .integer(let start) = part[1], case .integer(let length) = part[2], start >= 0,
      length >= 0, start <= count, length <= count - start
    else { return nil }
    return TorchStorage(key: key, type: type, count: count, part: start..<start + length)
  }

  private func key(_ value: PickleValue) -> String? {
    switch value {
    case .text(let text): folder + text
    case .integer(let number): folder + String(number)
    default: nil
    }
  }

  private func storageType(_ value: PickleValue) -> TorchType? {
    guard case .global(let place)? = pickle[value]?.kind else { return nil }
    return storageTypes[place]
  }
}
