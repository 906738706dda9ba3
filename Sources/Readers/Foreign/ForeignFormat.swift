import Documents
import ModelIR

/// A common format that netconv recognises but does not read.
struct ForeignFormat: Sendable {
  /// The name with its article: `an ONNX model`.
  let name: String
  /// The reason why it is not read.
  var verdict = "which netconv does not read"
  /// The suggested alternative.
  let wayOn: Message
  /// Returns true if a path has this format, judging by a bounded part of its content or the file names in a folder.
  let recognizes: @Sendable (SourceProbe) -> Bool

  /// The first format that matches a path; `nil` if none does.
  static func of(_ probe: SourceProbe) -> ForeignFormat? {
    // The user block before an HDF5 file may contain anything.
    KerasH5Reader.recognizes(probe) ? nil : all.first { $0.recognizes(probe) }
  }

  private static let byArrays: Message =
    "save its arrays with numpy.savez beside a model.json that describes the network, and name that folder"
  private static let fromAny: Message =
    "convert what it was made from: PyTorch's state dictionary as torch.save writes it, the Keras model or the "
    + "SavedModel; or " + byArrays
  private static let fromONNX: Message =
    "convert the ONNX model that it was made from"

  private static let fromGGML: Message =
    "llama.cpp's convert_llama_ggml_to_gguf.py makes GGUF of a LLaMA model, which netconv reads; of any other take the "
    + "safetensors or PyTorch file that it was made from, which \(.weightsOnly) converts"

  /// The formats; the first match applies.
  static let all: [ForeignFormat] = [
    // Not a model.
    ForeignFormat(name: "an empty file", wayOn: "copy or download it again") {
      $0.isFile && $0.prefix.isEmpty
    },
    ForeignFormat(
      name: "a pointer of Git LFS", wayOn: "fetch the file that it stands for with git lfs pull"
    ) { $0.text.hasPrefix("version https://git-lfs.github.com/spec/") },
    ForeignFormat(
      name: "a web page", wayOn: "download the file itself, not the page about it"
    ) { $0.beginsAsHTML },
    ForeignFormat(
      name: "an OpenVINO model", wayOn: fromAny
    ) { $0.text.hasPrefix("<?xml") && $0.text.contains("<net ") },
    ForeignFormat(
      name: "an XML document",
      wayOn: "it may be a server's answer to a download; read it, and download the file again"
    ) { $0.text.hasPrefix("<?xml") },
    ForeignFormat(
      name: "an image",
      wayOn:
        "name the network first; netconv run takes pictures behind it, and verify a folder of them "
        + "with \(.images)"
    ) { $0.isImage },

    // PyTorch.
    ForeignFormat(
      name: "a PyTorch file from before version 0.1.10",
      wayOn: "load it with torch.load, and save it again with torch.save"
    ) { $0.isTarOfTorch },
    ForeignFormat(
      name: "a TorchScript archive from before PyTorch 1.4",
      wayOn: "load it with torch.jit.load, and save it again with torch.jit.save"
    ) {
      $0.isForeignZip && $0.hasEntry(endingIn: "model.json") && $0.hasEntry(endingIn: "tensors/0")
    },

    // Language models.
    ForeignFormat(name: "a GGML file from before GGUF", wayOn: fromGGML) { probe in
      ["lmgg", "tjgg", "fmgg", "algg"].contains { probe.prefix.starts(with: $0.utf8) }
    },

    // TensorFlow.
    ForeignFormat(
      name: "a SavedModel as text", wayOn: "save it again as saved_model.pb"
    ) { $0.holds("saved_model.pbtxt") && !$0.holds("saved_model.pb") },
    ForeignFormat(
      name: "a file of values of a TensorFlow checkpoint", verdict: "whose index is not beside it",
      wayOn: "copy NAME.index and all files NAME.data-… to one folder, and name the index"
    ) { $0.isLoneValues },
    ForeignFormat(
      name: "a TensorFlow graph as text",
      wayOn:
        "write it again in binary: tf.io.write_graph(graph, \"DIR\", \"graph.pb\", as_text=False)"
    ) { $0.compactText.hasPrefix("node{name:") },
    ForeignFormat(
      name: "a TensorFlow.js graph model",
      wayOn: "convert what it was made from: the SavedModel, the frozen graph or the Keras model"
    ) { $0.isTensorFlowJSGraph },

    // Others.
    ForeignFormat(
      name: "a compiled Core ML model",
      wayOn: "name the package or the .mlmodel that it was made from"
    ) { $0.holds("coremldata.bin") },
    ForeignFormat(name: "a model of ONNX Runtime", wayOn: fromONNX) { $0.hasIdentifier("ORTM") },

    // Files that belong to a format that netconv reads.
    ForeignFormat(
      name: "the architecture of a Keras model", verdict: "which has no weights",
      wayOn: "name the file with the weights, and this one with \(.architecture)"
    ) { $0.isArchitecture },
    ForeignFormat(
      name: "the description of a network", verdict: "whose weights lie beside it",
      wayOn: "name the folder that it is in"
    ) { $0.isFile && $0.isDocument(of: "netconv-model") },
    ForeignFormat(
      name: "the manifest of a conversion", verdict: "whose weights lie beside it",
      wayOn: "name the folder that it is in"
    ) { $0.isFile && $0.isDocument(of: "netconv-manifest") },

    // Compressed files.
    ForeignFormat(
      name: "an HDF5 file packed with gzip", wayOn: "unpack it with gunzip, and name what comes out"
    ) { $0.isGzippedHDF5 },
    ForeignFormat(
      name: "a packed file", wayOn: "unpack it, and name the model that comes out"
    ) { $0.isPacked },
    ForeignFormat(
      name: "a ZIP archive with a model in it",
      wayOn: "unpack it, and name the model that comes out"
    ) { $0.isForeignZip && $0.entries.contains(where: SourceProbe.isModelName) },
    ForeignFormat(
      name: "a conversion without its manifest.json", verdict: "which says what is in it",
      wayOn: "put it back, name the \(ArchiveContainer.file) in it, or convert the model again"
    ) { $0.isOtherFolder && $0.holds(ArchiveContainer.file) },
    ForeignFormat(
      name: "a folder with models in it", verdict: "of which netconv reads one at a time",
      wayOn: "name one of them, or convert several with \(.severalSources)"
    ) {
      $0.isOtherFolder && ($0.names ?? []).contains(where: SourceProbe.isModelName)
        && ShardIndexReader.indexNames(in: $0).isEmpty
    },
  ]
}
