import Files
import ModelIR
import Numpy
import Pickles

/// A NumPy array in a pickle.
///
/// Source: numpy/_core/src/multiarray/methods.c, `array_reduce` and `array_setstate`; numeric.py, `_frombuffer`.
struct PickledArray: Sendable {
  let shape: [Int]
  let elementType: ElementType
  let byteOrder: ByteOrder
  /// True for Fortran order.
  let isFortran: Bool
  let bytes: PickleBytes
  /// The file that contains the bytes.
  let file: RandomAccessFile

  /// Interprets a call as the creation of an array; returns `nil` if it is another call.
  static func meaning(
    of object: PickleObject, _ name: String, _ arguments: [PickleValue], _ pickle: Pickle
  ) -> TorchMeaning? {
    switch name {
    case "numpy.core.multiarray._reconstruct", "numpy._core.multiarray._reconstruct":
      guard let state = object.state.flatMap({ pickle[$0] })?.elements, state.count >= 5 else {
        return .other
      }
      return meaning(
        shape: state[1], type: state[2],
        isFortran: state[3] == .bool(true) || state[3] == .integer(1), values: state[4], pickle)
    case "numpy.core.numeric._frombuffer", "numpy._core.numeric._frombuffer":
      guard arguments.count >= 4 else { return .other }
      return meaning(
        shape: arguments[2], type: arguments[1], isFortran: arguments[3] == .text("F"),
        values: arguments[0], pickle)
    default: return nil
    }
  }

  private static func meaning(
    shape: PickleValue, type: PickleValue, isFortran: Bool, values: PickleValue, _ pickle: Pickle
  ) -> TorchMeaning {
    let sizes = pickle[shape]?.elements.compactMap { value -> Int? in
      if case .integer(let size) = value, size >= 0 { size } else { nil }
    }
    guard let sizes, sizes.count == pickle[shape]?.elements.count, let type = dtype(type, pickle)
    else { return .refused(.torchArguments) }
    // Objects may be collections of arrays, which `numpy.save` wraps in an array.
    if type.name.hasPrefix("O"), let elements = pickle[values]?.elements {
      return .container(
        TorchContainer(
          kind: sizes.isEmpty && elements.count == 1 ? .wrapper : .list,
          members: elements.enumerated().map { (String($0), $1) }))
    }
    // Arrays of text are not weights.
    guard let found = NumpyHeader.type(named: type.name) else {
      return "OSUVMm".contains(type.name.prefix(1))
        ? .other : .refused(.torchUnread("of NumPy's type \(quoted(type.name))"))
    }
    guard let bytes = bytes(of: values, pickle),
      let count = try? product(sizes + [found.byteCount]), bytes.count == count
    else { return .refused(.torchArguments) }
    return .array(
      PickledArray(
        shape: sizes, elementType: found, byteOrder: type.order, isFortran: isFortran,
        bytes: bytes, file: pickle.file))
  }

  /// Parses `numpy.dtype('f4', …)`, whose state has the byte order as its second element.
  private static func dtype(
    _ value: PickleValue, _ pickle: Pickle
  ) -> (name: String, order: ByteOrder)? {
    guard let object = pickle[value], case .call(let callee, let arguments) = object.kind,
      let function = pickle.name(of: callee),
      function == "numpy.dtype" || function.hasPrefix("numpy.dtypes."),
      case .text(let name)? = arguments.first
    else { return nil }
    let state = object.state.flatMap { pickle[$0] }?.elements ?? []
    let order: ByteOrder =
      if state.count > 1, state[1] == .text(">") { .big } else { .little }
    return (name, order)
  }

  private static func bytes(of value: PickleValue, _ pickle: Pickle) -> PickleBytes? {
    if let bytes = pickle.bytes(of: value) { return bytes }
    if case .text(let text) = value { return .memory(Array(text.plain.utf8)) }
    // Protocol 2 has no bytes; it encodes each byte as a character.
    guard case .call(let callee, let arguments)? = pickle[value]?.kind,
      let name = pickle.name(of: callee)
    else { return nil }
    switch name {
    case "_codecs.encode":
      guard arguments.count == 2,
        arguments[1] == .text("latin1") || arguments[1] == .text("latin-1"),
        case .text(let text) = arguments[0]
      else { return nil }
      var bytes: [UInt8] = []
      for scalar in text.unicodeScalars {
        guard let byte = UInt8(exactly: scalar.value) else { return nil }
        bytes.append(byte)
      }
      return .memory(bytes)
    case "builtins.bytearray", "builtins.bytes", "__builtin__.bytes", "__builtin__.bytearray":
      return arguments.isEmpty ? .memory([]) : pickle.bytes(of: arguments[0])
    default: return nil
    }
  }
}
