import TestSupport

/// A small model as raw blobs: a convolution, a flatten and a dense layer.
enum TinyModel {
  static let document = """
    {"format": "netconv-model", "version": 1, "name": "tiny",
     "inputs": [{"name": "image", "shape": [6, 5, 2]}],
     "outputs": ["fc"],
     "layers": [
      {"name": "conv", "operator": "Convolution2D", "inputs": ["image"],
       "attributes": {"outputChannels": 4, "kernelSize": [3, 2]},
       "parameters": [
        {"role": "kernel", "file": "conv_W.bin", "dtype": "float32", "layout": "OIHW"},
        {"role": "bias", "file": "conv_b.bin", "dtype": "float32", "layout": "O"}]},
      {"name": "flatten", "operator": "Flatten", "inputs": ["conv"]},
      {"name": "fc", "operator": "Dense", "inputs": ["flatten"],
       "attributes": {"units": 7},
       "parameters": [
        {"role": "kernel", "file": "fc_W.bin", "dtype": "float32", "layout": "(HWI)O"},
        {"role": "bias", "file": "fc_b.bin", "dtype": "float32", "layout": "O"}]}]}
    """

  /// Bytes of each blob: 4 x 2 x 3 x 2, 4, 64 x 7 and 7 values.
  static let sizes = ["conv_W.bin": 192, "conv_b.bin": 16, "fc_W.bin": 1792, "fc_b.bin": 28]

  /// Writes the model to the folder `blobs`.
  static func write(to line: CommandLine, document: String = document) throws {
    try line.folder.write(document, to: "blobs/model.json")
    for (name, size) in sizes {
      // Small numbers of both signs, no two alike in a row.
      let values = (0..<size / 4).map { (index: Int) -> Float in
        Float(index * 7919 % 201 - 100) / 64
      }
      let bytes = littleEndian(values)
      try line.folder.write(bytes, to: "blobs/" + name)
    }
  }

  /// Writes a dense layer of `size` x `size` values to the folder `large`, as a sparse file.
  static func writeLarge(to line: CommandLine, size: Int) throws {
    let document = """
      {"format": "netconv-model", "version": 1, "name": "large",
       "inputs": [{"name": "x", "shape": [\(size)]}], "outputs": ["fc"],
       "layers": [
        {"name": "fc", "operator": "Dense", "inputs": ["x"], "attributes": {"units": \(size)},
         "parameters": [
          {"role": "kernel", "file": "W.bin", "dtype": "float32", "layout": "IO"},
          {"role": "bias", "file": "b.bin", "dtype": "float32", "layout": "O"}]}]}
      """
    try line.folder.write(document, to: "large/model.json")
    try line.writeZeros(4 * size * size, to: "large/W.bin")
    try line.writeZeros(4 * size, to: "large/b.bin")
  }
}
