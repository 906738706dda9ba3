import Documents
import ModelIR
import TestSupport
import Testing

@Suite struct ManifestTests {
  private static let text = """
    {
      "dtype": "float16",
      "format": "netconv-manifest",
      "formats": ["bin", "npz"],
      "model": {
        "format": "netconv-model",
        "inputs": [
          {
            "name": "x",
            "shape": [2]
          }
        ],
        "layers": [
          {
            "attributes": {},
            "inputs": ["x"],
            "name": "y",
            "operator": "Identity",
            "parameters": []
          }
        ],
        "name": "m",
        "outputs": ["y"],
        "version": 1
      },
      "producer": {
        "name": "netconv",
        "version": "1.0"
      },
      "source": {
        "bytes": 12,
        "file": "a.h5",
        "format": "keras-h5",
        "framework": null,
        "sha256": "00ff"
      },
      "target": "mps",
      "tensors": [
        {
          "ambiguities": [
            ["H", "I"]
          ],
          "dtype": "float16",
          "layer": "y",
          "layout": "OHWI",
          "name": "y_W",
          "places": {
            "bin": {
              "file": "weights/y_W.bin",
              "length": 8,
              "offset": 0
            },
            "npz": {
              "file": "model.npz",
              "length": 8,
              "offset": 192,
              "tensor": "y_W"
            }
          },
          "rearrangement": {
            "flip": ["h"],
            "pattern": "(h i) o -> o h 1 i",
            "sizes": {
              "h": 2
            }
          },
          "reversed": [],
          "role": "kernel",
          "sha256": "abcd",
          "shape": [2, 2, 1, 1],
          "source": {
            "dtype": "float32",
            "layout": "(HI)O",
            "path": "/y/kernel:0",
            "shape": [2, 2]
          },
          "statistics": {
            "firstNonFinite": 3,
            "max": null,
            "mean": null,
            "min": null,
            "nonFinite": 1,
            "std": 0.5
          },
          "supported": true
        }
      ],
      "version": 1
    }

    """

  @Test func `a manifest is written as it was read`() throws {
    let manifest = try Manifest.decode(Array(Self.text.utf8))
    #expect(String(decoding: try JSONDocument.encode(manifest), as: UTF8.self) == Self.text)
    #expect(manifest.source.framework == nil)
    #expect(manifest.tensors[0].statistics.firstNonFinite == 3)
    #expect(manifest.tensors[0].rearrangement.sizes == ["h": 2])
  }

  @Test func `a manifest whose checksum is another is refused, blanks aside`() throws {
    var manifest = try Manifest.decode(Array(Self.text.utf8))
    #expect(manifest.sha256 == nil)
    let text = String(decoding: try manifest.encoded(), as: UTF8.self)
    manifest = try Manifest.decode(Array(text.utf8))
    let stated = try #require(manifest.sha256)
    // Computed apart from this, with hashlib.
    #expect(stated == "9f07fa2025d8a3238cbee2afae597a44e93472cda8359f1e09eb815d74143e34")
    #expect(try manifest.encoded() == Array(text.utf8))
    let blanks = text.replacing("\n  \"", with: "\r\n\t \"").replacing(": ", with: ":  ")
    #expect(try Manifest.decode(Array(blanks.utf8)).sha256 == stated)
    for (old, new) in [("\"std\": 0.5", "\"std\": 0.25"), (stated, "0" + stated.dropFirst())] {
      #expect(throws: NetconvError.self) {
        try Manifest.decode(Array(text.replacing(old, with: new).utf8))
      }
    }
    let changed = text.replacing("\"std\": 0.5", with: "\"std\": 0.25")
    let unstated = changed.split(separator: "\n").filter { !$0.contains(stated) }
    #expect(try Manifest.decode(Array(unstated.joined(separator: "\n").utf8)).sha256 == nil)
  }

  @Test func `the first non-finite value is written only where there is one`() throws {
    var manifest = try Manifest.decode(Array(Self.text.utf8))
    manifest.tensors[0].statistics.firstNonFinite = nil
    let text = String(decoding: try JSONDocument.encode(manifest), as: UTF8.self)
    #expect(!text.contains("firstNonFinite"))
  }

  @Test func `a rearrangement is recorded so that it can be replayed`() throws {
    let move = TensorRecord.Move(
      try Rearrangement(
        from: #require(Layout("(HWI)O")), to: .ohwi,
        sizes: [.height: 7, .width: 5, .inputChannels: 3, .outputChannels: 2],
        reversing: [.width, .height]))
    #expect(move.pattern == "(h w i) o -> o h w i")
    #expect(move.sizes == ["h": 7, "w": 5])
    #expect(move.flip == ["h", "w"])
  }

  @Test(arguments: [
    (
      "\"netconv-manifest\"", "\"other\\n\"",
      #"format is 'other\u{a}', expected 'netconv-manifest'"#
    ),
    (
      "\"version\": 1\n}\n", "\"version\": 2\n}\n",
      "version is 2, this netconv reads version 1; use the netconv that wrote it"
    ),
    ("\"target\": \"mps\",", "", "the key 'target' is missing"),
    ("\"target\": \"mps\",", "\"target\": null,", "target: is null, expected a string"),
    (
      "\"offset\": 0\n", "\"offset\": \"0\"\n",
      "tensors[0].places.bin.offset: is a string, expected a whole number"
    ),
    (
      "\"bin\": {", "\"csv\": {",
      "a tensor of the manifest has a location in the unknown format 'csv'"
    ),
    ("\"path\": \"/y/kernel:0\",", "", "tensors[0].source: the key 'path' is missing"),
    (
      "\"nonFinite\": 1,", "\"nonFinite\": [],",
      "tensors[0].statistics.nonFinite: is an array, expected a whole number"
    ),
    (
      "\"format\": \"netconv-model\"", "\"format\": \"x\"",
      "format is 'x', expected 'netconv-model'"
    ),
  ])
  func `what is wrong is named with its place`(part: String, change: String, message: String) throws
  {
    try #require(Self.text.contains(part))
    let text = Self.text.replacing(part, with: change)
    let error = thrown { try Manifest.decode(Array(text.utf8)) }
    #expect(error?.kind == .badData)
    #expect(error?.description == message)
  }

  @Test func `a manifest cut off anywhere is an error`() throws {
    let bytes = Array(Self.text.utf8)
    for count in 0..<bytes.count - 2 {
      #expect(
        thrown { try Manifest.decode(Array(bytes.prefix(count))) }?.kind == .badData,
        "\(count) bytes")
    }
  }
}
