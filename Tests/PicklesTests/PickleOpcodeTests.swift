import ModelIR
import Pickles
import TestSupport
import Testing

@Suite("Operations of pickles")
struct PickleOpcodeTests {
  /// Python's operations: `pickletools.opcodes` of CPython 3.11.
  static let names: [UInt8: String] = [
    40: "MARK", 41: "EMPTY_TUPLE", 46: "STOP", 48: "POP", 49: "POP_MARK", 50: "DUP",
    66: "BINBYTES", 67: "SHORT_BINBYTES", 70: "FLOAT", 71: "BINFLOAT", 73: "INT", 74: "BININT",
    75: "BININT1", 76: "LONG", 77: "BININT2", 78: "NONE", 80: "PERSID", 81: "BINPERSID",
    82: "REDUCE", 83: "STRING", 84: "BINSTRING", 85: "SHORT_BINSTRING", 86: "UNICODE",
    88: "BINUNICODE", 93: "EMPTY_LIST", 97: "APPEND", 98: "BUILD", 99: "GLOBAL", 100: "DICT",
    101: "APPENDS", 103: "GET", 104: "BINGET", 105: "INST", 106: "LONG_BINGET", 108: "LIST",
    111: "OBJ", 112: "PUT", 113: "BINPUT", 114: "LONG_BINPUT", 115: "SETITEM", 116: "TUPLE",
    117: "SETITEMS", 125: "EMPTY_DICT", 128: "PROTO", 129: "NEWOBJ", 130: "EXT1", 131: "EXT2",
    132: "EXT4", 133: "TUPLE1", 134: "TUPLE2", 135: "TUPLE3", 136: "NEWTRUE", 137: "NEWFALSE",
    138: "LONG1", 139: "LONG4", 140: "SHORT_BINUNICODE", 141: "BINUNICODE8", 142: "BINBYTES8",
    143: "EMPTY_SET", 144: "ADDITEMS", 145: "FROZENSET", 146: "NEWOBJ_EX", 147: "STACK_GLOBAL",
    148: "MEMOIZE", 149: "FRAME", 150: "BYTEARRAY8", 151: "NEXT_BUFFER", 152: "READONLY_BUFFER",
  ]

  @Test("each operation of Python's is known by its name, and no other byte is one")
  func codes() throws {
    for code in UInt8.min...UInt8.max {
      let error = thrown { try readPickle([code]) }
      let message = error?.message ?? ""
      guard let name = Self.names[code] else {
        #expect(message.hasSuffix("which is not an operation"), "\(code)")
        continue
      }
      // It finds nothing to work with, or goes on where the pickle ends.
      #expect(
        message.hasPrefix("the pickle cannot be read: \(name) at byte 0 ")
          || message.hasPrefix("the pickle ends at byte 1,"), "\(code): \(message)")
    }
  }
}
