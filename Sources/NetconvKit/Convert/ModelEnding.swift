import Documents
import ModelIR

/// File extensions of networks, or of parts of one, that netconv does not write.
///
/// A folder with such a name would be mistaken for the file.
enum ModelEnding: String, CaseIterable {
  case weightsH5 = ".weights.h5"
  case h5 = ".h5"
  case hdf5 = ".hdf5"
  case keras = ".keras"
  case pt = ".pt"
  case pth = ".pth"
  case pt2 = ".pt2"
  case ckpt = ".ckpt"
  case torchScript = ".torchscript"
  case index = ".index"
  case meta = ".meta"
  case pb = ".pb"
  case pbtxt = ".pbtxt"
  case lite = ".lite"
  case ort = ".ort"
  case mlmodel = ".mlmodel"
  case mlmodelc = ".mlmodelc"
  case ggml = ".ggml"
  case nam = ".nam"
  case param = ".param"
  case npy = ".npy"
  case pickle = ".pickle"
  case pkl = ".pkl"
  case json = ".json"
  case xml = ".xml"
  case bin = ".bin"
  case c = ".c"
  case h = ".h"
  case zip = ".zip"
  case tar = ".tar"
  case gz = ".gz"

  /// Finds the extension of a path, ignoring case; `nil` for other names, and for folders, whose paths end in a
  /// slash.
  init?(of path: String) {
    let name = path.lowercased()
    guard let ending = Self.allCases.first(where: { name.hasSuffix($0.rawValue) }) else {
      return nil
    }
    self = ending
  }

  /// The target whose weights such a file contains, and the container that is written for it.
  var target: (name: String, format: OutputFormat)? {
    switch self {
    case .pt, .pth, .pt2, .ckpt, .torchScript: ("torch", .safetensors)
    case .weightsH5, .h5, .hdf5, .keras, .pb, .pbtxt, .index, .meta: ("tensorflow", .npz)
    // These targets have the names of their containers.
    case .ort: (OutputFormat.onnx.rawValue, .onnx)
    case .lite: (OutputFormat.tflite.rawValue, .tflite)
    case .mlmodel, .mlmodelc: (OutputFormat.coreml.rawValue, .coreml)
    case .param: ("ncnn", .npz)
    case .json: (OutputFormat.rtneural.rawValue, .rtneural)
    case .npy, .pickle, .pkl, .ggml, .nam, .xml, .bin, .c, .h, .zip, .tar, .gz: nil
    }
  }
}

extension NetconvError {
  static func notWritten(_ path: String, _ ending: ModelEnding) -> NetconvError {
    let wayOn =
      ending.target.map { target in
        "; its programs take target \(target.name) in a file that ends in "
          + (target.format.ending ?? target.format.rawValue)
      } ?? ""
    return NetconvError(
      .usage,
      "\(quoted(path)) ends in \(ending.rawValue), which netconv does not write\(wayOn); name a folder, with a slash "
        + "after such a name, or a file that ends in \(OutputFormat.manyTensorsEndings)")
  }

  static var noStandardOutput: NetconvError {
    NetconvError(
      .usage,
      "a conversion cannot be written to standard output ('-'); name a folder, or a file that ends in "
        + OutputFormat.manyTensorsEndings)
  }
}

extension OutputFormat {
  /// The extensions of files that hold the tensors of any network, for messages.
  fileprivate static var manyTensorsEndings: String {
    let endings = [OutputFormat.archive, .safetensors, .npz].compactMap(\.ending)
    return "\(endings.dropLast().joined(separator: ", ")) or \(endings.last ?? "")"
  }
}
