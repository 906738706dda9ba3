import Foundation
import TestSupport
import Testing

/// A manifest describes each parameter twice, in its model and among its tensors; hashes do not tell which
/// of the two is right.
@Suite("Manifests whose model and tensors disagree")
struct ManifestAgreementTests {
  private func converted() throws -> CommandLine {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    expectSuccess(try line.netconv("convert", "blobs", "out", "--quiet", "--formats", "bin"))
    return line
  }

  /// Sets the value at a path such as `model.layers.2.parameters.0.layout`; `nil` removes the key.
  private func set(_ place: String, to value: Any?, in line: CommandLine) throws {
    // Another manifest has another checksum; without one it is read.
    var object = try jsonObject(try line.folder.bytes("out/manifest.json"))
    object["sha256"] = nil
    let keys = place.split(separator: ".").map(String.init)
    let changed = try #require(Self.changed(object, keys[...], value))
    try line.folder.write(
      try JSONSerialization.data(withJSONObject: changed), to: "out/manifest.json")
  }

  private static func changed(_ object: Any?, _ keys: ArraySlice<String>, _ value: Any?) -> Any? {
    guard let key = keys.first else { return value }
    if var list = object as? [Any], let index = Int(key) {
      let element = changed(list[index], keys.dropFirst(), value)
      if let element { list[index] = element } else { list.remove(at: index) }
      return list
    }
    var members = object as? [String: Any] ?? [:]
    members[key] = changed(members[key], keys.dropFirst(), value)
    return members
  }

  @Test(
    "each fact that is told twice is compared",
    arguments: [
      // H, W and I are all 4: the shape does not show that the layout is another.
      ("model.layers.2.parameters.0.layout", "OIHW", "layout is 'OIHW' in 'model' and 'OHWI'"),
      ("tensors.2.layout", "OIHW", "layout is 'OHWI' in 'model' and 'OIHW'"),
      (
        "model.layers.2.parameters.0.dtype", "float16",
        "dtype is 'float16' in 'model' and 'float32'"
      ),
      ("model.layers.2.parameters.0.role", "kernel2", "role is 'kernel2' in 'model' and 'kernel'"),
      ("tensors.2.role", "gamma", "role is 'kernel' in 'model' and 'gamma'"),
      ("tensors.2.layer", "conv", "layer is 'fc' in 'model' and 'conv'"),
    ])
  func facts(place: String, value: String, message: String) throws {
    let line = try converted()
    try set(place, to: value, in: line)
    let role = place.hasSuffix("parameters.0.role") ? "kernel2" : "kernel"
    for verb in [["verify", "out"], ["run", "out", "--input", "in.npy"], ["inspect", "out"]] {
      expectError(
        try NetconvProcess.run(verb, in: line.folder.path), 65,
        "out/manifest.json: layer 'fc', tensor '\(role)': the manifest contradicts itself about "
          + "'weights/fc_W.bin': its \(message) in 'tensors'; convert the model again")
    }
  }

  @Test("shapes and offsets are compared too")
  func numbers() throws {
    for (place, value, message) in [
      (
        "model.layers.2.parameters.0.shape", [7, 2, 8, 4],
        "its shape is [7, 2, 8, 4] in 'model' and [7, 4, 4, 4] in 'tensors'"
      ),
      ("model.layers.2.parameters.0.offset", 4, "its offset is 4 in 'model' and 0 in 'tensors'"),
    ] as [(String, Any, String)] {
      let line = try converted()
      try set(place, to: value, in: line)
      expectError(
        try line.netconv("verify", "out"), 65,
        "out/manifest.json: layer 'fc', tensor 'kernel': the manifest contradicts itself about "
          + "'weights/fc_W.bin': \(message); convert the model again")
    }
  }

  @Test(
    "a length that is not that of the shape is refused, so that nobody reads a neighbour's bytes")
  func length() throws {
    let line = try converted()
    try set("tensors.3.places.bin.length", to: 24, in: line)
    _ = try line.shell("truncate -s 24 out/weights/fc_b.bin")
    expectError(
      try line.netconv("verify", "out"), 65,
      "out/manifest.json: layer 'fc', tensor 'bias': the manifest says that it holds 24 bytes, but [7] "
        + "of float32 are 28; convert the model again")
    // Where the model says nothing of the shape, the record's has to fit the layer.
    try set("tensors.3.shape", to: [6], in: line)
    try set("model.layers.2.parameters.1.shape", to: nil, in: line)
    expectError(
      try line.netconv("verify", "out"), 65,
      "out/manifest.json: layer 'fc', tensor 'bias': shape is [6], expected [7] (O); correct "
        + "the layer or its weights")
  }

  @Test("every tensor belongs to one parameter")
  func use() throws {
    let line = try converted()
    try set("model.layers.2.parameters.1", to: nil, in: line)
    expectError(
      try line.netconv("verify", "out"), 65,
      "out/manifest.json: layer 'fc', tensor 'bias': no layer of the manifest's model has the parameter "
        + "'weights/fc_b.bin'; convert the model again")
    try set("tensors.3.places.bin.file", to: "weights/fc_W.bin", in: line)
    try set("tensors.3.places.bin.length", to: 1792, in: line)
    expectError(
      try line.netconv("verify", "out"), 65,
      "out/manifest.json: layer 'fc', tensor 'bias': the manifest lists 'weights/fc_W.bin' twice; "
        + "convert the model again")
  }

  @Test("keys that the schema does not have are refused, wherever they are")
  func unknownKeys() throws {
    for (place, key) in [
      ("", "modle"), ("producer.", "host"), ("source.", "path"), ("tensors.1.", "order"),
      ("tensors.1.source.", "offset"), ("tensors.1.rearrangement.", "flipped"),
      ("tensors.1.statistics.", "median"), ("model.", "author"), ("model.layers.0.", "comment"),
    ] {
      let line = try converted()
      try set(place + key, to: 1, in: line)
      let path = String(
        place.replacing("tensors.1", with: "tensors[1]").replacing("layers.0", with: "layers[0]")
          .dropLast())
      expectError(
        try line.netconv("verify", "out"), 65,
        "out/manifest.json: \(path.isEmpty ? "" : path + ": ")unknown key '\(key)'")
    }
  }
}
