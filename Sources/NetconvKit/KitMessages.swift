import Documents
import Emission
import Execution
import ModelIR
import Readers
import Writers

/// The wording of every error and warning that this module makes.
extension NetconvError {
  static var interrupted: NetconvError {
    NetconvError(.interrupted, "interrupted; nothing was changed")
  }

  static func withoutLayout(_ tensors: [String], target: String) -> NetconvError {
    NetconvError(
      .badData,
      tensors.count == 1
        ? "target \(target) has no layout for 1 tensor; without --strict it keeps the source's"
        : "target \(target) has no layout for \(tensors.count) tensors; without --strict they keep "
          + "the source's",
      details: tensors)
  }

  static func matchesNothing(_ rule: ElementTypeRule) -> NetconvError {
    NetconvError(
      .usage,
      "the pattern \(quoted(rule.pattern)) of --dtype \(quoted("\(rule.pattern)=\(rule.elementType.rawValue)")) "
        + "matches no tensor; netconv inspect --tensors lists the layers, and a manifest the tensors"
    )
  }

  static func overflows(_ losses: [TensorLoss]) -> NetconvError {
    let wayOn =
      losses.first { $0.elementType != .float32 }
      .map { "name another type, as in --dtype '\(escaped($0.layer))=float32', or " } ?? ""
    return NetconvError(
      .badData,
      (losses.count == 1
        ? "1 tensor holds finite values that the type cannot hold which it is to be written as; "
        : "\(losses.count) tensors hold finite values that the types cannot hold which they are to be "
          + "written as; ") + wayOn + "pass --allow-overflow to write them as infinite",
      details: losses.compactMap(\.overflow))
  }

  static func replacedNowhere(_ layer: String) -> NetconvError {
    NetconvError(
      .usage,
      "neither of the two has a layer \(quoted(layer)) that can be replaced; only a Lambda, a custom layer or "
        + "one that is not supported can")
  }

  static var cannotReplaceWithoutGraph: NetconvError {
    NetconvError(
      .usage,
      "without the graph no layer is computed, and none can be replaced; leave out --weights-only or --replace"
    )
  }

  static var cannotFoldWithoutGraph: NetconvError {
    NetconvError(
      .usage,
      "nothing can be folded without the graph; leave out --weights-only or --fold-batch-norm")
  }

  static var cannotFoldForComparison: NetconvError {
    NetconvError(.usage, "nothing can be folded without the graph; leave out --fold")
  }

  static func wrongHash(_ found: String, expected: String) -> NetconvError {
    NetconvError(
      .badData,
      "SHA-256 is \(found.prefix(16))…, the manifest says \(expected.prefix(16))…; it is damaged, "
        + "so convert the model again")
  }

  static func missingContainers(_ missing: [String], left: [String]) -> NetconvError {
    let names = missing.map { quoted($0) }
    return NetconvError(
      .badData,
      (names.count == 1 ? "\(names[0]) is" : names.joined(separator: " and ") + " are")
        + " missing, which the manifest lists; put back what was there, or write \(left.first ?? "it") alone with "
        + "netconv convert --formats \(left.first ?? "bin")")
  }

  static func notImageClassifier(_ inputs: [String], _ outputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "has the inputs \(inputs.map { escaped($0) }.joined(separator: ", ")) and the outputs "
        + "\(outputs.map { escaped($0) }.joined(separator: ", ")); verify needs one input and one output"
    )
  }

  static func notClasses(_ output: String) -> NetconvError {
    NetconvError(
      .usage,
      "gives \(output) for each image; verify needs one value for each class, as in (10)")
  }

  static func notMNIST(input: String, output: String) -> NetconvError {
    NetconvError(
      .usage,
      "takes \(input) and gives \(output), so the built-in MNIST test set (28x28 pixels, 10 classes) "
        + "does not fit; pass your own data with --images FILE --labels FILE")
  }

  static func noImages(for option: String) -> NetconvError {
    NetconvError(
      .usage,
      "is compared on random inputs, since the built-in MNIST test set (28x28 pixels, 10 classes) does not fit; "
        + "\(option) needs your own data, --images FILE --labels FILE")
  }

  static func imagesDoNotFit(
    _ found: [Int], prepared: [Int], input: Shape
  ) -> NetconvError {
    let sizes = input.dimensions.map { $0.map(String.init) ?? "None" }.joined(separator: ", ")
    return NetconvError(
      .usage,
      "images of shape \(Shape(found))"
        + (prepared == found ? "" : ", prepared as \(Shape(prepared)),")
        + " do not fit the model's input \(input)" + input.channelsHint(for: prepared)
        + (prepared.count == 1 && input.count == prepared[0]
          ? "; if they are flattened row by row, numpy.reshape(x, (-1, \(sizes))) brings them into shape"
          : ""))
  }

  static func nothingToScale(_ inputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "has the inputs \(inputs.map { quoted($0) }.joined(separator: ", ")), none of which is an image; "
        + "leave out --scale and --offset, and write the arrays as they are to be fed")
  }

  static func imagesNotFinite(_ value: Float, image: Int, count: Int) -> NetconvError {
    NetconvError(
      .badData,
      "image \(image) holds \(numeral(value)), and \(count) \(count == 1 ? "pixel is" : "pixels are") not finite in all; "
        + "look for what wrote them")
  }

  static func labelOutside(_ label: Int, classes: Int) -> NetconvError {
    NetconvError(
      .badData,
      "there is a label \(label), but the model has \(classes) classes, 0 to \(classes - 1)")
  }

  static func unknownLayer(_ name: String) -> NetconvError {
    NetconvError(.usage, "there is no layer \(quoted(name)); netconv inspect lists them")
  }

  static func missingInput(_ name: String, found: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "there is no array for the input \(quoted(name)); found "
        + (found.isEmpty ? "none" : found.map { quoted($0) }.joined(separator: ", ")))
  }

  static func tooManyArrays(_ found: Int, inputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "holds \(found) arrays, but the model has \(inputs.count) "
        + "\(inputs.count == 1 ? "input" : "inputs"), "
        + inputs.map { quoted($0) }.joined(separator: ", ")
        + "; give arrays the names of inputs, or write no others to the file")
  }

  static func wrongScalar(_ shape: [Int]) -> NetconvError {
    NetconvError(.badData, "has shape \(Shape(shape)), expected the batch as its first axis")
  }

  static func notAlone(
    _ formats: [OutputFormat], destination: String, container: OutputFormat
  ) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(destination)) is \(container.rawValue) alone, and cannot be written as "
        + formats.map(\.rawValue).joined(separator: " and ")
        + "; name a folder, or leave out --formats")
  }

  static func noNumpyType(_ type: ElementType, destination: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(destination)) cannot hold \(type.rawValue), which NumPy does not have; end the name in "
        + ".safetensors or .netpack, or name a folder")
  }

  static func noPlaceForGoldens(_ destination: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(destination)) has no place for goldens; name a folder or a .netpack archive, or leave them out"
    )
  }

  static func tooLittleMemory(_ limit: Int, least: Int) -> NetconvError {
    NetconvError(
      .usage,
      "a conversion cannot do with \(limit >> 20) MiB of memory; the least is \(least >> 20) MiB")
  }

  static func notInLanguage(_ layers: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "\(layers.count) \(layers.count == 1 ? "layer" : "layers") cannot be said in the model language",
      details: layers)
  }

  static var reachesNoOutput: NetconvError {
    NetconvError(.badData, "reaches no output")
  }

  static func noWord(_ name: String) -> NetconvError {
    NetconvError(.badData, "there is no word for this \(name)")
  }

  static func noSource(_ target: String, _ type: ElementType) -> NetconvError {
    NetconvError(
      .usage,
      "target \(target) is not given \(type.rawValue) weights as C; --formats c is for tflite and float32"
    )
  }

  static var onlySource: NetconvError {
    NetconvError(
      .usage, "C is nothing that can be read again; write another format with it, as in bin,c")
  }

  static func notAPackage(_ language: EmittedLanguage) -> NetconvError {
    NetconvError(
      .usage, "\(language.rawValue) is written as text, not as a package; leave out --output")
  }

  static func notAText(_ language: EmittedLanguage) -> NetconvError {
    NetconvError(
      .usage, "\(language.rawValue) is written as a package; name its folder with --output")
  }

  static func notAnArchiveName(_ path: String, suffix: String) -> NetconvError {
    NetconvError(.usage, "\(quoted(path)) is no name for an archive; end it in \(suffix)")
  }

  static func noElementType(_ text: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(text)) is no type; write \(ElementTypeChoice.known.map(\.rawValue).joined(separator: ", ")), "
        + "or PATTERN=TYPE")
  }

  static func noEmbeddedLanguage(_ word: String) -> NetconvError {
    let known = PackageLanguage.all.map(\.name)
    return NetconvError(
      .badData,
      "there is no language \(quoted(word)) for builds; known are \(known.joined(separator: ", "))")
  }

  static func targetOfLanguage(_ language: PackageLanguage) -> NetconvError {
    NetconvError(
      .badData, "\(language.name) has its own layouts; leave out the target, or the language")
  }

  static func precisionOfCode(_ language: PackageLanguage) -> NetconvError {
    NetconvError(
      .badData,
      "code of \(language.name) takes float16 or float32, the same for all kernels; name one of them"
    )
  }

  static var nameWithoutCode: NetconvError {
    NetconvError(.badData, "no language is named, so that there is no code to be called so")
  }

  static func noPlaceForCode(_ language: PackageLanguage) -> NetconvError {
    NetconvError(
      .usage,
      "code of \(language.name) has no place here; name its file with --code, or build it into a Swift target"
    )
  }

  /// The same error, about the value of `key` in a file of options.
  func inOption(_ key: String) -> NetconvError {
    var error = self
    error.message = "\(key): \(message)"
    return error
  }

  /// The same error, about what `file` asks for: what is wrong usage on a command line is bad data there.
  func ofOptions(_ file: String) -> NetconvError {
    var error = self
    if kind == .usage { error.kind = .badData }
    error.file = file
    return error
  }

  static var unfinishedPackage: NetconvError {
    NetconvError(.internal, "a package was published without weights")
  }

  static var noFormats: NetconvError {
    NetconvError(.usage, "no output format was named; known are " + OutputFormat.list)
  }
}

extension NetconvError {
  static func nothingToRun(checked: Int) -> NetconvError {
    NetconvError(
      .usage,
      "holds weights without a graph, so that they cannot be run"
        + (checked > 0 ? "; its \(checked) tensors are as the manifest says" : ""))
  }
}

// MARK: - Comparison

extension NetconvError {
  static func otherInputs(_ found: [String], expected: [String], of path: String) -> NetconvError {
    let list = { (names: [String]) in names.map { quoted($0) }.joined(separator: ", ") }
    return NetconvError(
      .usage,
      "has the inputs \(list(found)), but \(escaped(path)) has \(list(expected)); they cannot be fed alike"
    )
  }

  static func noSampleShape(_ inputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "leaves sizes of its inputs open, and none of the usual ones will do; name data with --images, or "
        + "activations with --reference", details: inputs)
  }

  static func unknownActivations(_ names: [String], model: Model) -> NetconvError {
    NetconvError(
      .badData,
      "holds \(names.count) \(names.count == 1 ? "array" : "arrays") without a layer of that name; the model "
        + "'\(escaped(model.name))' has the layers that netconv inspect lists",
      details: names.map { quoted($0) })
  }

  static func missingActivations(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "lacks the values of the "
        + (names.count == 1 ? "input " : "inputs ")
        + names.map { quoted($0) }.joined(separator: ", ")
        + "; save what the network was fed with under that name")
  }

  static func noActivations(model: Model) -> NetconvError {
    NetconvError(
      .badData, "holds inputs, but the output of no layer; save some under the layers' names")
  }

  static func wrongActivation(_ found: [Int], expected: Shape, batch: Int) -> NetconvError {
    let sizes = expected.dimensions.map { $0.map(String.init) ?? "None" }
    return NetconvError(
      .badData,
      "has shape \(Shape(found)), expected (\(([String(batch)] + sizes).joined(separator: ", ")))"
        + expected.channelsHint(for: Array(found.dropFirst())))
  }

  static func nonFiniteActivation(_ value: Float, at index: Int) -> NetconvError {
    NetconvError(
      .badData,
      "holds \(numeral(value)) at index \(index); a reference has to be finite, so look for the layer "
        + "where that begins")
  }
}

extension Event {
  /// What of a source's graph and weights does not fit, each with its place.
  static func misfits(_ misfits: [String]) -> Event {
    .warning(
      "not everything in the file fits together or can be read; every array that can be is written as it is, "
        + "without a graph",
      details: misfits)
  }

  static func matrices(_ tensors: [String]) -> Event {
    .warning(
      (tensors.count == 1
        ? "1 fully-connected kernel is written as a matrix"
        : "\(tensors.count) fully-connected kernels are written as matrices")
        + ", rows in the source's order; without a graph nobody can say what a flatten before it has merged",
      details: tensors)
  }

  /// What the engine that was chosen is slow at.
  package static func fallbacks(of engine: any Engine) -> Event {
    let layers = engine.fallbacks
    return switch layers.count {
    case _ where !(engine is FastEngine):
      .note("the reference engine runs every layer as it is defined", details: [])
    case 0: .note("the fast engine has a kernel for every layer", details: [])
    case 1:
      .note("1 layer has no fast kernel and runs as it is defined, slowly", details: layers)
    default:
      .note(
        "\(layers.count) layers have no fast kernel and run as they are defined, slowly",
        details: layers)
    }
  }

  static func overflowed(_ tensors: [String]) -> Event {
    .warning(
      tensors.count == 1
        ? "1 tensor holds values that are too large for the type they are written as; they became "
          + "infinite"
        : "\(tensors.count) tensors hold values that are too large for the type they are written as; "
          + "they became infinite",
      details: tensors)
  }

  /// Small values that lose digits: harmless, as ``imprecise(_:)`` says otherwise.
  static func underflowed(_ losses: [TensorLoss]) -> Event {
    let sum = { (count: (Rounding) -> Int) in grouped(losses.reduce(0) { $0 + count($1.rounding) })
    }
    return .remark(
      losses.count == 1
        ? "1 tensor holds values that are too small for the type it is written as"
        : "\(losses.count) tensors hold values that are too small for the type they are written as: of "
          + "\(sum(\.count)), \(sum(\.subnormal)) become subnormal and \(sum(\.zeroed)) zero",
      details: losses.compactMap(\.underflow))
  }

  static func imprecise(_ tensors: [String]) -> Event {
    .warning(
      tensors.count == 1
        ? "1 tensor loses more than the type it is written as explains"
        : "\(tensors.count) tensors lose more than the types they are written as explain",
      details: tensors)
  }

  static func tensorsWithoutLayout(_ tensors: [String], target: String) -> Event {
    .warning(
      tensors.count == 1
        ? "target \(target) has no layout for 1 tensor; it keeps the source's"
        : "target \(target) has no layout for \(tensors.count) tensors; they keep the source's",
      details: tensors)
  }

  static func nonFinite(_ tensors: [String]) -> Event {
    .warning(
      tensors.count == 1
        ? "1 tensor holds values that are infinite or not a number"
        : "\(tensors.count) tensors hold values that are infinite or not a number",
      details: tensors)
  }
}

extension OutputFormat {
  /// The names of all formats: `bin, archive, safetensors, npz and c`.
  package static var list: String {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }
}

// MARK: - Pixels

extension Event {
  /// What a user should know about what was done to pixels.
  static func pixels(_ warning: String) -> Event { .warning(warning, details: []) }

  static func inputsInOrder(_ pairs: [(input: String, array: String)]) -> Event {
    .warning(
      "the arrays are not called like the inputs, and went to them in order; "
        + "numpy.savez(file, NAME=array, …) names them",
      details: pairs.map { "\(quoted($0.array)) to \(quoted($0.input))" })
  }

  static func inputNotFinite(_ name: String, _ count: Int) -> Event {
    .warning(
      "the input \(quoted(name)) holds \(count) \(count == 1 ? "value that is" : "values that are") not finite",
      details: [])
  }
}

extension PixelPreparation {
  static func explanation(scale: Double?, offset: Double?) -> String {
    [scale.map { _ in "--scale" }, offset.map { _ in "--offset" }].compactMap(\.self)
      .joined(separator: " and ")
  }

  static let recordedExplanation = "as the model records"

  static func explanation(_ layer: Layer) -> String {
    "the network begins with its own \(type(of: layer.operation).name) \(quoted(layer.name))"
  }

  static func explanation(_ type: ElementType, isRecorded: Bool) -> String {
    guard type.isInteger else {
      return isRecorded
        ? "floats; what the model records is for integers"
        : "floats, and the model records no scale"
    }
    return (type == .uint8 ? "bytes" : type.rawValue) + ", and the model records no scale"
  }

  /// `255`, or four digits.
  private static func pixel(_ value: Float) -> String {
    value == value.rounded() ? PixelStep.number(Double(value)) : significant(value)
  }

  static func largeFloats(_ largest: Float) -> String {
    "the pixels are floats up to \(pixel(largest)), and nothing was done to them; if the network takes 0 to 1, "
      + "pass --scale, or save them as bytes"
  }

  static let smallIntegers =
    "no pixel exceeds 1, although they are integers; if they are scaled already, pass --scale 1"

  static func recordNotApplied(_ steps: [PixelStep]) -> String {
    "the model records for pixels: \(steps.words); that is for integers, and was not done to these floats"
  }

  static func guessed(_ steps: [PixelStep]) -> String {
    "model.json records no scale; that pixels are \(steps.isEmpty ? "used as they are" : steps.words) "
      + "is a guess; record \"scale\" or \"preprocessing\" there, or pass --scale"
  }

  static func scaledTwice(_ layer: Layer, largest: Float) -> String {
    "no pixel exceeds \(pixel(largest)), and the network begins with its own "
      + "\(type(of: layer.operation).name) \(quoted(layer.name)), which expects larger ones; they may be scaled twice"
  }

  static func scaledUp(_ layer: Layer, largest: Float) -> String {
    "pixels go up to \(pixel(largest)), and the network's own \(type(of: layer.operation).name) "
      + "\(quoted(layer.name)) makes them larger still; if it takes 0 to 1, pass --scale"
  }
}

extension PreparationReport {
  /// How a user sets a preparation.
  static func setting(_ steps: [PixelStep], _ facts: PixelFacts) -> String {
    let short: (scale: Double?, offset: Double?)? =
      steps.isEmpty ? (scale: 1, offset: nil) : steps.shortForm
    if let short {
      return [
        short.scale.map { "--scale=" + PixelStep.number($0) },
        short.offset.map { "--offset=" + PixelStep.number($0) },
      ].compactMap(\.self).joined(separator: " ")
    }
    let documents = steps.map(PixelStepDocument.init)
    let list = (try? JSONDocument.encodeCompact(documents)).map {
      String(decoding: $0, as: UTF8.self)
    }
    let key = "\"preprocessing\": \(list ?? "") at the input in model.json"
    if facts.type.isInteger { return key }
    return facts.largest > 1.5
      ? key + ", for images that are saved as bytes" : "images that are saved so"
  }

  static var needsImages: NetconvError {
    NetconvError(
      .usage,
      "--find-preparation needs images with labels; name them with --images and --labels")
  }
}
