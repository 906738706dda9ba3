import HDF5
import ModelIR
import Testing

@Suite("Attributes")
struct HDF5AttributeTests {
  private static let greeting = "Gr\u{fc}\u{df}e \u{4e16}\u{754c} \u{1f600}"

  private func file() throws -> HDF5File {
    try HDF5File(path: Fixture.path("attributes.h5"))
  }

  // The values are those that attributes.json has from h5py.
  @Test(
    "every kind of attribute is read",
    arguments: [
      ("fixed_ascii", .strings(["fixed"], shape: [])),
      ("variable_utf8", .strings([greeting], shape: [])),
      ("variable_ascii", .strings(["plain"], shape: [])),
      ("fixed_utf8", .strings([greeting], shape: [])),
      ("fixed_padded", .strings(["ab"], shape: [])),
      ("fixed_full", .strings(["abcdefgh"], shape: [])),
      ("empty_variable", .strings([""], shape: [])),
      ("fixed_array", .strings(["one", "three", ""], shape: [3])),
      ("variable_array", .strings(["one", greeting, ""], shape: [3])),
      ("string_matrix", .strings(["a", "b", "c", "d", "e", "f"], shape: [2, 3])),
      ("no_strings", .strings([], shape: [0])),
      ("int8", .integers([-5], shape: [])),
      ("uint8", .integers([250], shape: [])),
      ("int32_big", .integers([-70_000], shape: [])),
      ("int64", .integers([-4_611_686_018_427_387_904], shape: [])),
      ("uint64", .unsupported("unsigned integer above 9223372036854775807")),
      ("int_array", .integers([0, 1, 2, 3, 4, 5], shape: [2, 3])),
      ("float16", .floats([0.3330078125], shape: [])),
      ("float32", .floats([0.10000000149011612], shape: [])),
      ("float64", .floats([0.1], shape: [])),
      ("float64_big_array", .floats([0.25, -1e300], shape: [2])),
      ("flag", .integers([1], shape: [])),
      ("null_float", .empty),
      ("null_string", .empty),
      ("empty_array", .floats([], shape: [0, 3])),
      ("long", .strings([String(repeating: "x", count: 40_000)], shape: [])),
      ("name with / and \u{e4}", .integers([1], shape: [])),
    ] as [(String, HDF5Attribute)])
  func kinds(name: String, expected: HDF5Attribute) throws {
    #expect(try file().root.attributes[name] == expected)
  }

  @Test("no attribute is left out")
  func count() throws {
    let file = try file()
    #expect(file.root.attributes.count == 28)
    guard case .floats(let values, shape: []) = file.root.attributes["nan"] else {
      Issue.record("'nan' is no scalar")
      return
    }
    #expect(values.count == 1 && values[0].isNaN)
  }

  @Test("attributes in dense storage are read")
  func dense() throws {
    let attributes = try #require(try file()["/group"]?.attributes)
    #expect(attributes.count == 40)
    #expect(attributes["number07"] == .integers([49], shape: []))
    #expect(attributes["number39"] == .integers([1_521], shape: []))
  }

  // The values are those of `h5dump -A texts.h5`, with the padding taken off.
  @Test(
    "padding is taken off and invalid UTF-8 repaired",
    arguments: [
      ("space_padded", .strings(["ab  c", ""], shape: [2])),
      ("null_terminated", .strings(["ab", "fgh"], shape: [2])),
      ("null_padded", .strings(["a\0b"], shape: [])),
      ("invalid_utf8", .strings(["a\u{fffd}b\u{fffd}"], shape: [])),
      ("color", .unsupported("enumeration")),
      ("pair", .unsupported("compound of 2 fields")),
    ] as [(String, HDF5Attribute)])
  func padding(name: String, expected: HDF5Attribute) throws {
    #expect(try HDF5File(path: Fixture.path("texts.h5")).root.attributes[name] == expected)
  }

  // The values are those that the script has written.
  @Test("texts are found behind a user block, by narrow addresses")
  func narrow() throws {
    let file = try HDF5File(path: Fixture.path("narrow.h5"))
    #expect(try file.strings("names", at: "/") == ["one", "", "Gr\u{fc}\u{df}e"])
    #expect(try file.string("text", at: "/") == String(repeating: "text ", count: 1_000))
  }

  @Test("one value can be asked for by its type")
  func conveniences() throws {
    let file = try file()
    #expect(try file.string("unit", at: "/data") == "mm")
    #expect(try file.string("no such", at: "/data") == nil)
    #expect(try file.string("unit", at: "/no/such") == nil)
    #expect(try file.strings("fixed_array", at: "/") == ["one", "three", ""])
    #expect(try file.strings("fixed_ascii", at: "/") == ["fixed"])
    #expect(try file.strings("empty_array", at: "/") == [])
    #expect(try file.strings("null_string", at: "/") == [])
    #expect(try file.integers("number03", at: "/group") == [9])
    #expect(try file.floats("float64", at: "/") == [0.1])
  }

  @Test("a value of another type is an error that names both")
  func wrongType() throws {
    let file = try file()
    let error = try thrownError { () throws(NetconvError) in
      try file.string("number03", at: "/group")
    }
    #expect(error.kind == .badData)
    #expect(error.file == file.path)
    #expect(
      error.message == "attribute 'number03' of '/group': expected a string, found an integer")
    let strings = try thrownError { () throws(NetconvError) in
      try file.string("fixed_array", at: "/")
    }
    #expect(
      strings.message == "attribute 'fixed_array' of '/': expected a string, found 3 strings")
  }

  @Test("a string that says it is 2 GiB long is refused before it is allocated")
  func lyingLength() throws {
    let error = try thrownError { () throws(NetconvError) in
      try HDF5File(path: Fixture.path("lying-length.h5"))
    }
    #expect(error.kind == .badData)
    #expect(error.tensor == nil)
    #expect(
      error.message
        == "object '/': attribute 'names': including it, the file's attributes need more than 256 MiB; "
        + "a checkpoint needs far less")
  }
}
