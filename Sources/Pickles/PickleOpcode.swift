/// The operation codes of pickles.
///
/// The cases have Python's names in camel case: ``shortBinunicode`` is `SHORT_BINUNICODE`.
///
/// Source: CPython 3.13, Lib/pickletools.py, `opcodes`.
enum PickleOpcode: UInt8, CaseIterable, Sendable {
  // Protocol 0.
  case mark = 0x28
  case stop = 0x2e
  case pop = 0x30
  case dup = 0x32
  case float = 0x46
  case int = 0x49
  case long = 0x4c
  case none = 0x4e
  case persid = 0x50
  case reduce = 0x52
  case string = 0x53
  case unicode = 0x56
  case append = 0x61
  case build = 0x62
  case global = 0x63
  case dict = 0x64
  case get = 0x67
  case inst = 0x69
  case list = 0x6c
  case put = 0x70
  case setitem = 0x73
  case tuple = 0x74
  // Protocol 1.
  case emptyTuple = 0x29
  case popMark = 0x31
  case binfloat = 0x47
  case binint = 0x4a
  case binint1 = 0x4b
  case binint2 = 0x4d
  case binpersid = 0x51
  case binstring = 0x54
  case shortBinstring = 0x55
  case binunicode = 0x58
  case emptyList = 0x5d
  case appends = 0x65
  case binget = 0x68
  case longBinget = 0x6a
  case obj = 0x6f
  case binput = 0x71
  case longBinput = 0x72
  case setitems = 0x75
  case emptyDict = 0x7d
  // Protocol 2.
  case proto = 0x80
  case newobj = 0x81
  case ext1 = 0x82
  case ext2 = 0x83
  case ext4 = 0x84
  case tuple1 = 0x85
  case tuple2 = 0x86
  case tuple3 = 0x87
  case newtrue = 0x88
  case newfalse = 0x89
  case long1 = 0x8a
  case long4 = 0x8b
  // Protocol 3.
  case binbytes = 0x42
  case shortBinbytes = 0x43
  // Protocol 4.
  case shortBinunicode = 0x8c
  case binunicode8 = 0x8d
  case binbytes8 = 0x8e
  case emptySet = 0x8f
  case additems = 0x90
  case frozenset = 0x91
  case newobjEx = 0x92
  case stackGlobal = 0x93
  case memoize = 0x94
  case frame = 0x95
  // Protocol 5.
  case bytearray8 = 0x96
  case nextBuffer = 0x97
  case readonlyBuffer = 0x98
}

extension PickleOpcode {
  /// Python's name of the operation.
  var name: String {
    "\(self)".reduce(into: "") { name, letter in
      if letter.isUppercase { name.append("_") }
      name += letter.uppercased()
    }
  }
}
