import Foundation
import TestSupport
import Testing

/// `netconv emit` as a user sees it.
@Suite struct EmitCommandTests {
  private let sample = Fixtures.sample("lenet-blobs")

  @Test func `a package is written, and what it is called is said`() throws {
    let folder = try TemporaryFolder()
    let result = try NetconvProcess.run([
      "emit", sample, "--language", "mpscnn", "--output", folder.file("lenet"), "--precision",
      "float32",
    ])
    #expect(result.status == 0)
    #expect(result.errors == "")
    let path = folder.file("lenet")
    #expect(
      result.output == """
        \(path): package LenetBlobs, 34 files
        to verify it on a Mac: cd \(path) && swift run -c release LenetBlobsSelfTest
        to use it in an app: add the folder as a package in Xcode; \(path)/README.md says how

        """)
    #expect(try folder.files().count == 34)
    #expect(try folder.files().contains("lenet/Sources/LenetBlobs/LenetBlobs.netpack"))
  }

  @Test(arguments: [
    (["--language", "mpscnn"], "mpscnn is written as a package; name its folder with --output"),
    (["--output", "x"], "dsl is written as text, not as a package; leave out --output"),
    (["--force"], "--force"),
    (
      ["--language", "mpscnn", "--output", "x", "--name", "a-b"],
      "is not a valid name of a Swift module"
    ),
  ])
  func `options that do not go together are wrong usage`(
    _ options: [String], _ message: String
  ) throws {
    let folder = try TemporaryFolder()
    let result = try NetconvProcess.run(["emit", sample] + options, in: folder.path)
    #expect(result.status == 64)
    #expect(result.errors.contains(message))
    #expect(result.output == "")
    #expect(try folder.files() == [])
  }

  @Test(arguments: [
    (
      "Foundation",
      "'Foundation' is a module of Swift or of the system; choose another name for the module"
    ),
    (
      "XCTest", "'XCTest' is a module of Swift or of the system; choose another name for the module"
    ),
    (
      "MetalPerformanceShaders",
      "'MetalPerformanceShaders' is a module of Swift or of the system; choose another name for the module"
    ),
    (
      "Testing",
      "'Testing' is a module of Swift or of the system; choose another name for the module"
    ),
    (
      "Network",
      "'Network' is a module of Swift or of the system; choose another name for the module"
    ),
    (
      "WebKit", "'WebKit' is a module of Swift or of the system; choose another name for the module"
    ),
    ("Swift", "'Swift' is a module of Swift or of the system; choose another name for the module"),
    ("Metal", "'Metal' is a module of Swift or of the system; choose another name for the module"),
    ("Self", "'Self' is a keyword of Swift; choose another name for the module"),
    (
      "Data",
      "a module 'Data' would have a type Data, which conflicts with another type of its code; "
        + "choose another name for the module"
    ),
    ("Result", "'Result' is a type of Swift; choose another name for the module"),
    (
      "MTL",
      "a module 'MTL' would have a type MTLTensor, which conflicts with another type of its code; "
        + "choose another name for the module"
    ),
    (
      "class",
      "'class' is not a valid name of a Swift module; use letters, digits and _, and begin with a capital letter"
    ),
  ])
  func `a name that others have is refused by name`(_ name: String, _ message: String) throws {
    let line = try CommandLine()
    for language in ["mpscnn", "mpsgraph"] {
      expectError(
        try line.netconv(
          "emit", sample, "--language", language, "--name", name, "--output", "out"), 64, message)
    }
    #expect(try line.names() == [])
  }

  @Test func `filters are written without a network`() throws {
    let folder = try TemporaryFolder()
    let command = ["emit", "--language", "metal", "--filter", "blur=2.5", "--output", "look"]
    let result = try NetconvProcess.run(command, in: folder.path)
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(result.output == "look: package Look, 13 files\n")
    #expect(try folder.files().count == 13)
    let again = try NetconvProcess.run(command, in: folder.path)
    #expect(again.status == 73)
    #expect(try NetconvProcess.run(command + ["--force"], in: folder.path).status == 0)
  }

  @Test(arguments: [
    ([], "metal is a language for filters; name at least one with --filter"),
    (["--filter", "blur=-1"], "blur=-1"),
    (
      ["--filter", "axes=channelsFirst"],
      "the filter 'axes=channelsFirst' moves channels; the channels of a texture are fixed"
    ),
    (
      ["--filter", "mean=1,2"], "the filter 'mean=1,2' has 2 numbers; a texture has 3 colours"
    ),
    (
      ["--filter", "gray", "--filter", "mean=1,2,3"],
      "the filter 'mean=1,2,3' has 3 numbers; the picture is gray by then"
    ),
    (["--filter", "gray", "network.h5"], "metal is a language for filters; leave out PATH"),
    (
      ["--filter", "gray", "--precision", "float32"],
      "--precision is for networks; metal is a language for filters"
    ),
    (
      ["--filter", "gray", "--model", "m.json"],
      "--model is for networks; metal is a language for filters"
    ),
    (["--filter", "gray", "--name", "a-b"], "is not a valid name of a Swift module"),
    (
      ["--filter", "gray", "--name", "MTLRenderPipelineState"],
      "choose another name for the module"
    ),
  ])
  func `filters that cannot be written are named`(_ options: [String], _ message: String) throws {
    let folder = try TemporaryFolder()
    let result = try NetconvProcess.run(
      ["emit", "--language", "metal", "--output", "look"] + options, in: folder.path)
    #expect(result.status == 64, "\(result.errors)")
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(try folder.files() == [])
  }

  @Test(arguments: [
    (["--language", "metal", "--filter", "gray"], "name its folder with --output"),
    (["--language", "mpscnn", "--output", "x"], "Missing expected argument '<path>'"),
    ([], "Missing expected argument '<path>'"),
    (["lenet", "--filter", "gray"], "dsl is a language for networks; leave out --filter"),
  ])
  func `filters and networks are not mixed`(_ options: [String], _ message: String) throws {
    let folder = try TemporaryFolder()
    let result = try NetconvProcess.run(["emit"] + options, in: folder.path)
    #expect(result.status == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(try folder.files() == [])
  }

  @Test func `a layer without a kernel is bad data`() throws {
    let folder = try TemporaryFolder()
    let source = Fixtures.path("keras/keras2-reshaping.h5")
    let result = try NetconvProcess.run([
      "emit", source, "--language", "mpscnn", "--output", folder.file("out"),
    ])
    #expect(result.status == 65)
    #expect(
      result.errors == """
        netconv: error: \(source): 2 layers cannot be written in MPSCNN
          layer 'turned' (2 of 8, Permute): there is no kernel for Permute
          layer 'repeated' (7 of 8, RepeatVector): there is no kernel for RepeatVector

        """)
    #expect(try folder.files() == [])
  }
}
