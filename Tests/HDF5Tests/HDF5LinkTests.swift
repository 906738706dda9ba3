import HDF5
import ModelIR
import Testing

@Suite("Links")
struct HDF5LinkTests {
  private func file() throws -> HDF5File {
    try HDF5File(path: Fixture.path("links.h5"))
  }

  @Test("a cycle of hard links ends")
  func cycle() throws {
    let file = try file()
    #expect(file.objects.map(\.path) == ["/", "/a", "/a/b", "/a/values", "/named_type"])
    #expect(file["/a/b/up/b/self/self/up/values"]?.path == "/a/values")
    #expect(file["root/root/a"]?.path == "/a")
  }

  @Test("every object is listed once, under its shortest path")
  func shortestPath() throws {
    let file = try file()
    #expect(file.datasets.map(\.path) == ["/a/values"])
    #expect(file["/a/b/again"]?.path == "/a/values")
  }

  @Test("links come in name order and say what they stand for")
  func targets() throws {
    let group = try #require(try file()["/a/b"]?.group)
    #expect(group.links.map(\.name) == ["again", "self", "up"])
    #expect(
      group.links.map(\.target)
        == [.alias(of: "/a/values"), .alias(of: "/a/b"), .alias(of: "/a")])
    #expect(group.children.isEmpty)
    let root = try file().root
    #expect(root.path == "/")
    #expect(
      root.links.map(\.name) == [
        "a", "external_group", "external_no_file", "external_no_object", "external_ok",
        "named_type", "root", "soft_dangling", "soft_group", "soft_ok", "soft_one", "soft_self",
        "soft_two",
      ])
    #expect(root.links[0].target == .object)
    #expect(root.links[1].target == .external(file: "links-target.h5", path: "/group"))
    #expect(root.links[8].target == .soft(path: "/a/b"))
  }

  @Test(
    "a path leads through soft links",
    arguments: [
      ("/soft_ok", "/a/values"), ("/a/soft_relative", "/a/values"), ("soft_group", "/a/b"),
      ("/soft_group/up/soft_relative", "/a/values"), ("//a/./b//", "/a/b"), ("", "/"),
    ])
  func softLinks(path: String, expected: String) throws {
    #expect(try file()[path]?.path == expected)
  }

  @Test("a group looks up from itself unless the path begins with a slash")
  func relative() throws {
    let group = try #require(try file()["/a"]?.group)
    #expect(group["b/again"]?.path == "/a/values")
    #expect(group["/a"]?.path == "/a")
    #expect(group["a"] == nil)
  }

  @Test(
    "a link that leads nowhere is no object",
    arguments: [
      "/soft_dangling", "/soft_self", "/soft_one", "/soft_two", "/external_ok",
      "/external_no_file", "/external_no_object", "/external_group/values", "/a/values/x", "/b",
      "/..",
    ])
  func unresolvable(path: String) throws {
    #expect(try file()[path] == nil)
  }

  @Test(
    "an error says where a path ends",
    arguments: [
      ("/a/c", "there is no 'c' in group '/a', which holds 'b', 'soft_relative', 'values'"),
      (
        "/soft_dangling",
        "there is no 'no' in group '/', which holds 'a', 'external_group', "
          + "'external_no_file', 'external_no_object', 'external_ok', 'named_type', 'root', "
          + "'soft_dangling' and 5 more"
      ),
      ("/a/values/x", "there is no 'x' in '/a/values', as that is a dataset, not a group"),
      ("/soft_self", "leads through more than 32 soft links, most likely in a circle"),
      (
        "/external_ok",
        "is a link to '/values' in the file 'links-target.h5', but netconv opens "
          + "no other file; copy the object into this one"
      ),
      ("/a", "is a group, expected a dataset"),
      ("/named_type", "is a named type, expected a dataset"),
    ])
  func messages(path: String, message: String) throws {
    let file = try file()
    let error = try thrownError { () throws(NetconvError) in try file.dataset(at: path) }
    #expect(error.kind == .badData)
    #expect(error.file == file.path)
    #expect(error.tensor == path)
    #expect(error.message == message)
  }

  @Test("a dataset behind a soft link is read")
  func softDataset() throws {
    let file = try HDF5File(path: Fixture.path("keras-links.h5"))
    let kernel = try file.dataset(at: "/model_weights/fc/fc/kernel:0")
    #expect(kernel.path == "/shared")
    #expect(kernel.shape == [3, 2])
    // h5dump -d /shared keras-links.h5
    #expect(
      try kernel.allValues() == [
        1.1012625, 0.33843127, -1.2602419, -1.8946213, -0.8105671, -0.87215596,
      ])
  }

  @Test("names are compared byte by byte, and repaired if they are not UTF-8")
  func names() throws {
    let file = try HDF5File(path: Fixture.path("texts.h5"))
    #expect(file["/caf\u{e9}"] != nil)
    #expect(file["/cafe\u{301}"] == nil)
    #expect(file["/bad\u{fffd}"]?.path == "/caf\u{e9}")
  }

  @Test("more than 256 groups in each other are refused")
  func depth() throws {
    let error = try thrownError { () throws(NetconvError) in
      try HDF5File(path: Fixture.path("deep.h5"))
    }
    #expect(error.kind == .badData)
    #expect(error.message.hasSuffix("(514 characters) is nested deeper than 256 groups"))
  }
}
