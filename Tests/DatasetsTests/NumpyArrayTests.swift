import Datasets
import Foundation
import ModelIR
import TestSupport
import Testing

/// The files are NumPy's; `Tests/Fixtures/numpy/make_numpy.py` writes them.
@Suite struct NumpyArrayTests {
  private static let types: [String: ElementType] = [
    "f2": .float16, "f4": .float32, "f8": .float64, "i1": .int8, "u1": .uint8, "i2": .int16,
    "u2": .uint16, "i4": .int32, "u4": .uint32, "i8": .int64, "u8": .uint64,
  ]

  private func stored(_ name: String) throws -> [String: NumpyArray] {
    try arrays(Fixtures.path("numpy/\(name)"))
  }

  @Test(arguments: ["types.npz", "big-endian.npz"])
  func `every type is read, in either byte order`(file: String) throws {
    let arrays = try stored(file)
    for (name, type) in Self.types {
      let array = try #require(arrays[name])
      #expect(array.shape == [2, 3])
      #expect(array.values == [0, 1, 2, 100, 3, 127], "\(name)")
      #expect(array.elementType == type)
    }
  }

  @Test func `truth values are 0 and 1`() throws {
    #expect(try stored("types.npz")["b1"]?.values == [0, 1, 1, 1, 1, 1])
  }

  @Test func `what float32 cannot hold is rounded to nearest, ties to even`() throws {
    let arrays = try stored("rounded.npz")
    let doubles = try #require(arrays["f8"]).values
    #expect(
      doubles.prefix(5) == [Float(0.1), .infinity, -0.0, 16_777_216, 16_777_220])
    #expect(doubles[5].isNaN && doubles[6] == -.infinity)
    #expect(
      arrays["i4"]?.values == [16_777_216, 16_777_220, -16_777_216, -0x1p31, 0x1p31])
    #expect(arrays["i8"]?.values == [0x1p53, -0x1p63, 0x1p63, -1])
    #expect(arrays["u8"]?.values == [0x1p64, 0x1p63, 255])
    #expect(arrays["f2"]?.values == [65_504, 0x1p-24, 0.099_975_586, .infinity])
  }

  @Test func `Fortran order is brought into C order`() throws {
    let arrays = try stored("orders.npz")
    #expect(arrays["c"]?.values == (0..<24).map { Float($0) })
    #expect(arrays["fortran"] == arrays["c"])
    #expect(arrays["fortran2"]?.shape == [3, 2])
    #expect(arrays["fortran2"]?.values == [0, 1, 2, 3, 4, 5])
    #expect(arrays["fortran-with-1"]?.shape == [3, 1, 2])
    #expect(arrays["fortran-with-1"]?.values == [0, 1, 2, 3, 4, 5])
  }

  @Test func `scalars, vectors and empty arrays have their shapes`() throws {
    let arrays = try stored("shapes.npz")
    #expect(arrays["scalar"]?.shape == [] && arrays["scalar"]?.values == [2.5])
    #expect(arrays["vector"]?.shape == [3] && arrays["vector"]?.values == [0, 1, 2])
    #expect(arrays["empty"]?.shape == [0, 3] && arrays["empty"]?.values == [])
  }

  @Test(arguments: ["version1.npy", "version2.npy", "version3.npy"])
  func `all versions of the format are read`(file: String) throws {
    let array = try NumpyArray(fixture(file))
    #expect(array.shape == [2, 3, 4])
    #expect(array.values == (0..<24).map { Float($0) })
  }

  @Test(arguments: ["version1.npy", "version2.npy", "version3.npy"])
  func `a file cut off anywhere is an error`(file: String) throws {
    let bytes = try fixture(file)
    for count in 0..<bytes.count {
      #expect(
        thrown { try NumpyArray(Array(bytes.prefix(count))) }?.kind == .badData, "\(count) bytes")
    }
    #expect(
      thrown { try NumpyArray(bytes.dropLast()) }?.description
        == "holds \(bytes.count - 1) bytes, its header says \(bytes.count)")
    #expect(
      thrown { try NumpyArray(bytes + [0]) }?.description
        == "holds \(bytes.count + 1) bytes, its header says \(bytes.count)")
  }

  @Test func `other versions are refused`() throws {
    for (major, minor) in [(0, 0), (4, 0), (1, 1), (255, 255)] as [(UInt8, UInt8)] {
      var bytes = try fixture("version1.npy")
      bytes[6] = major
      bytes[7] = minor
      #expect(
        thrown { try NumpyArray(bytes) }?.description
          == "is .npy of version \(major).\(minor), expected 1.0 to 3.0; it may be damaged")
    }
  }

  @Test(arguments: [
    ("complex.npy", "'<c8'"), ("text.npy", "'<U1'"),
  ])
  func `values that are no numbers are refused`(file: String, type: String) throws {
    let bytes = try fixture(file)
    #expect(
      thrown { try NumpyArray(bytes) }?.description
        == "holds values of type \(type), expected numbers such as '<f4' or '|u1'")
  }

  @Test func `records are refused`() throws {
    let bytes = try fixture("record.npy")
    let error = thrown { try NumpyArray(bytes) }
    #expect(error?.kind == .badData)
    #expect(error?.message.hasSuffix("is not valid for NumPy") == true)
  }

  @Test(arguments: [
    "", "{}", "{'descr': '<f4', 'fortran_order': False, }", "{'descr': '<f4', 'shape': (1,), }",
    "{'fortran_order': False, 'shape': (1,), }",
    "{'descr': <f4, 'fortran_order': False, 'shape': (1,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1,",
    "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1.0,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': [1]}",
  ])
  func `headers that NumPy does not write are refused`(header: String) {
    #expect(
      thrown { try NumpyArray(npy(header, [0, 0, 0, 0])) }?.description
        == "the header \(quoted(header)) is not valid for NumPy")
  }

  @Test func `headers may lie about the size`() {
    func problem(_ shape: String, type: String = "<f4") -> String? {
      let error = thrown {
        try NumpyArray(
          npy("{'descr': '\(type)', 'fortran_order': True, 'shape': \(shape)}", [0, 0, 0, 0]))
      }
      #expect(error == nil || error?.kind == .badData)
      return error?.description
    }
    #expect(problem("(1,)") == nil)
    #expect(problem("(2,)") == "holds 68 bytes, its header says 72")
    #expect(problem("(1,)", type: "<f8") == "holds 68 bytes, its header says 72")
    #expect(problem("(0,)") == "holds 68 bytes, its header says 64")
    #expect(
      problem("(1152921504606846975,)", type: "<f8")
        == "holds 86 bytes, its header says 9223372036854775807")
    #expect(
      problem("(4294967296, 4294967296)")
        == "sizes [4294967296, 4294967296] are negative or multiply to more than this machine can "
        + "count; the file is damaged or invalid")
    #expect(problem("(0, 9223372036854775807, 2)") != nil)
  }

  @Test func `a header may be said to be longer than the file`() {
    var bytes = npy("{'descr': '<f4', 'fortran_order': False, 'shape': ()}", [0, 0, 0, 0])
    bytes[9] = 0xff
    #expect(thrown { try NumpyArray(bytes) }?.kind == .badData)
    var version2 = npy("{}", [], version: 2)
    version2[11] = 0xff
    #expect(thrown { try NumpyArray(version2) }?.kind == .badData)
  }

  @Test func `damaged bytes never crash`() throws {
    let bytes = try fixture("version1.npy")
    for index in 0..<128 {
      for value in [0, 0x20, 0x27, 0x29, 0xff] as [UInt8] {
        var damaged = bytes
        damaged[index] = value
        let error = thrown { try NumpyArray(damaged) }
        #expect(error == nil || error?.kind == .badData)
      }
    }
  }

  @Test func `an array is written as NumPy writes it`() throws {
    let array = NDArray<Float>(shape: [2, 3, 4], values: (0..<24).map { Float($0) })
    #expect(try NumpyArray.encode(array) == fixture("version1.npy"))
  }

  @Test(arguments: [[], [1], [5], [0], [2, 3], [2, 0, 3], [1, 2, 3, 4, 5]] as [[Int]])
  func `what is written is read again`(shape: [Int]) throws {
    let count = shape.reduce(1, *)
    let values = (0..<count).map { Float($0) / 3 - 1 }
    let bytes = NumpyArray.encode(NDArray(shape: shape, values: values))
    #expect((bytes.count - 4 * count) % 64 == 0)
    let array = try NumpyArray(bytes)
    #expect(array.shape == shape && array.values == values && array.elementType == .float32)
  }
}
