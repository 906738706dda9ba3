import HDF5
import ModelIR
import Testing

@Suite("Types")
struct HDF5TypeTests {
  private static let floatCases: [(String, ElementType, [Float])] = [
    // The values of numpy's float16, from types.npz.
    (
      "f2", .float16,
      [0, -0.0, 1, -1.5, 65_504, -65_504, 0x1p-14, 0x1p-24, 0.333251953125, .infinity, -.infinity]
    ),
    (
      "f4", .float32,
      [
        0, -0.0, 1, -1.5, 0x1.fffffep127, -0x1.fffffep127, 0x1p-126, 0x1p-149, 0x1.555556p-2,
        .infinity, -.infinity,
      ]
    ),
    // The largest doubles are beyond float32, the smallest below it.
    (
      "f8", .float64,
      [
        0, -0.0, 1, -1.5, .infinity, -.infinity, 0, 0, 0x1.555556p-2, .infinity, -.infinity,
      ]
    ),
  ]

  @Test("floats of every size and byte order are read", arguments: floatCases)
  func floats(code: String, type: ElementType, expected: [Float]) throws {
    let file = try HDF5File(path: Fixture.path("types.h5"))
    for (word, order) in [("little", ByteOrder.little), ("big", .big)] {
      let dataset = try file.dataset(at: "\(word)_\(code)")
      #expect(dataset.elementType == type)
      #expect(dataset.entry.type == .number(type, order))
      let values = try dataset.allValues()
      #expect(values.dropLast().map(\.bitPattern) == expected.map(\.bitPattern))
      #expect(values[11].isNaN)
    }
  }

  @Test("doubles that float32 cannot hold are told from those that are infinite in the file")
  func overflows() throws {
    let file = try HDF5File(path: Fixture.path("types.h5"))
    for word in ["little", "big"] {
      let dataset = try file.dataset(at: "\(word)_f8")
      let whole = try dataset.overflows(in: 0..<dataset.count)
      #expect(whole.count == 2 && whole.first == 4)
      let part = try dataset.overflows(in: 5..<dataset.count)
      #expect(part.count == 1 && part.first == 5)
      #expect(try file.dataset(at: "\(word)_f4").overflows(in: 0..<12) == Overflow())
    }
  }

  @Test(
    "integers of every size and byte order are read",
    arguments: [
      ("i1", .int8, [0, 1, 2, 100, 127, 126, -128, -127, 3, 5, 7, 42]),
      ("u1", .uint8, [0, 1, 2, 100, 255, 254, 0, 1, 3, 5, 7, 85]),
      ("i2", .int16, [0, 1, 2, 100, 32_767, 32_766, -32_768, -32_767, 3, 5, 7, 10_922]),
      ("u2", .uint16, [0, 1, 2, 100, 65_535, 65_534, 0, 1, 3, 5, 7, 21_845]),
      (
        "i4", .int32,
        [0, 1, 2, 100, 0x1p31, 0x1p31, -0x1p31, -0x1p31, 3, 5, 7, 715_827_904]
      ),
      ("u4", .uint32, [0, 1, 2, 100, 0x1p32, 0x1p32, 0, 1, 3, 5, 7, 1_431_655_808]),
      (
        "i8", .int64,
        [0, 1, 2, 100, 0x1p63, 0x1p63, -0x1p63, -0x1p63, 3, 5, 7, 0x1.555556p61]
      ),
      ("u8", .uint64, [0, 1, 2, 100, 0x1p64, 0x1p64, 0, 1, 3, 5, 7, 0x1.555556p62]),
    ] as [(String, ElementType, [Float])])
  func integers(code: String, type: ElementType, expected: [Float]) throws {
    let file = try HDF5File(path: Fixture.path("types.h5"))
    for word in ["little", "big"] {
      let dataset = try file.dataset(at: "\(word)_\(code)")
      #expect(dataset.elementType == type)
      #expect(try dataset.allValues() == expected)
    }
  }

  // Worked by hand: 2^24 + 1 and 2^24 + 3 lie halfway, and the even neighbour wins.
  @Test(
    "numbers are rounded to nearest even in either byte order",
    arguments: [
      (
        "int64",
        [0x1p24, 0x1.000004p24, -0x1p24, 0x1p53, 0x1p40, 0x1.000002p40]
      ),
      ("uint64", [0x1p64, 0x1p63, 0x1.000002p63]),
      (
        "float64",
        [
          1, 0x1.000002p0, 0x1.000004p0, 0x1p-149, 0, 0x1p-149, 0x1.fffffep127, .infinity,
        ]
      ),
    ] as [(String, [Float])])
  func rounding(name: String, expected: [Float]) throws {
    let file = try HDF5File(path: Fixture.path("values.h5"))
    for word in ["little", "big"] {
      #expect(try file.dataset(at: "\(name)_\(word)").allValues() == expected)
    }
  }

  #if !(os(macOS) && arch(x86_64))
    @Test("every float16 is read exactly", arguments: ["little", "big"])
    func everyFloat16(word: String) throws {
      let values = try HDF5File(path: Fixture.path("values.h5"))
        .dataset(at: "float16_\(word)").allValues()
      try #require(values.count == 65_536)
      for (bits, value) in values.enumerated() {
        let expected = Float(Float16(bitPattern: UInt16(bits)))
        guard expected.isNaN ? !value.isNaN : value.bitPattern != expected.bitPattern else {
          continue
        }
        Issue.record("float16 \(bits): found \(value), expected \(expected)")
      }
    }
  #endif

  @Test("bfloat16 is read, by its own type or where the caller knows that opaque values are it")
  func bfloat16() throws {
    let file = try HDF5File(path: Fixture.path("bfloat16.h5"))
    let expected: [Float] = [1.5, -2, 0x1p-133, -.infinity, 0x1.fep127, 0]
    for name in ["little", "big"] {
      let dataset = try file.dataset(at: name)
      #expect(dataset.elementType == .bfloat16)
      #expect(try dataset.allValues() == expected)
    }
    for name in ["opaque", "chunked"] {
      #expect(try #require(file[name]?.dataset).type == .opaque(byteCount: 2))
      #expect(try file.dataset(at: name, opaqueType: .bfloat16).allValues() == expected)
      let error = try thrownError { () throws(NetconvError) in try file.dataset(at: name) }
      #expect(
        error.message
          == "holds opaque value of 2 bytes, expected float16, bfloat16, float32, float64 or integers "
          + "of 8 to 64 bits")
      #expect(throws: NetconvError.self) { try file.dataset(at: name, opaqueType: .float32) }
    }
  }

  @Test("a scalar is one value, an empty dataset none")
  func scalarAndEmpty() throws {
    let file = try HDF5File(path: Fixture.path("types.h5"))
    let scalar = try file.dataset(at: "scalar_f4")
    #expect(scalar.shape == [])
    #expect(scalar.count == 1)
    #expect(try scalar.allValues() == [2.5])
    let empty = try file.dataset(at: "empty_f4")
    #expect(empty.shape == [0, 3])
    #expect(empty.count == 0)
    #expect(try empty.allValues() == [])
  }

  @Test(
    "what is not a number netconv reads is named",
    arguments: [
      ("types.h5", "/bool", "bool"), ("types.h5", "/compound", "compound of 2 fields"),
      ("types.h5", "/complex", "compound of 2 fields"),
      ("types.h5", "/strings", "string of 5 bytes"), ("types.h5", "/text", "string"),
      ("types.h5", "/null_f4", "no values (a null dataspace)"),
      ("values.h5", "/int12", "integer of 12 bits in 2 bytes"),
    ])
  func unsupported(name: String, path: String, words: String) throws {
    let file = try HDF5File(path: Fixture.path(name))
    let entry = try #require(file[path]?.dataset)
    #expect(entry.type == .unsupported(words))
    #expect(entry.elementType == nil)
    let error = try thrownError { () throws(NetconvError) in try file.dataset(at: path) }
    #expect(error.kind == .badData)
    #expect(error.tensor == path)
    #expect(
      error.message
        == "holds \(words), expected float16, bfloat16, float32, float64 or integers of 8 to 64 bits"
    )
  }
}
