import Diagnosis
import Files
import ModelIR

/// The result of reading a probe with a loader.
public struct ProbeCheckReport: Report {
  /// The name of the report's schema.
  public static let schema = "probe-check"

  /// The folder of the probe.
  public let probe: String
  /// The file with the values that the loader read.
  public let answers: String
  /// True if all answers are right.
  public let passed: Bool
  /// Descriptions of the wrong answers; empty if ``passed``.
  public let failures: [String]
  /// The tensors, in the order of the model; empty if the answers contain none.
  public let tensors: [Row]
  /// The inputs that the answers contain.
  public let inputs: [Row]
  /// The outputs of layers that the answers contain, in the order of the model.
  public let outputs: [Row]
  /// The layers whose outputs the answers lack.
  public let unanswered: [String]

  /// A tensor, or the output of a layer.
  public struct Row: Sendable, Encodable {
    /// The name of the tensor or of the layer.
    public let name: String
    /// The name of the layer.
    public let layer: String
    /// The role of a tensor; `nil` for the output of a layer.
    public let role: String?
    /// The order of the axes.
    public let layout: String
    /// True if the answer is right.
    public let right: Bool
    /// A description of the mistake.
    public let finding: String?
    /// The shape in the answer.
    public let shape: [Int]?
    /// For a right answer, the axes whose order it does not reveal: a flat list has no axes.
    public let unchecked: [String]
  }
}

extension Netconv {
  /// Compares the values that a loader read from a probe with the expected ones, and describes how the loader changed
  /// them.
  ///
  /// - Parameters:
  ///   - answers: an `.npz` file with arrays named after tensors, or after layers for their outputs; or JSON lines.
  ///   - probe: the folder of the probe; `nil` for the folder of `answers`, or its parent.
  /// - Throws: `usage` if there is no probe, `cannotOpen`, or `badData` if answers are missing. A wrong answer is not
  ///   an error: see ``ProbeCheckReport/passed``.
  public static func checkProbe(
    _ answers: String, probe: String? = nil
  ) throws(NetconvError) -> ProbeCheckReport {
    let folder: String
    if let probe { folder = probe } else { folder = try neighbour(of: answers) }
    let document = try ProbeDocument.read(in: Directory.withoutTrailingSlashes(folder))
    let seen = try ProbeAnswers(answers, for: document)
    let tensors = document.tensors.compactMap { tensor in
      seen.tensors[tensor.name].map { tensor.row($0, among: document.tensors) }
    }
    let inputs = document.inputs.compactMap { input in
      seen.inputs[input.name].map { input.row($0, tolerance: 0) }
    }
    let outputs = document.outputs.compactMap { output in
      seen.outputs[output.name].map { output.row($0, tolerance: ProbeDocument.outputTolerance) }
    }
    let wrong = (tensors + inputs + outputs).filter { !$0.right }
    return ProbeCheckReport(
      probe: folder, answers: answers, passed: wrong.isEmpty,
      failures: wrong.map { "\(quoted($0.name)) is wrong: \($0.finding ?? "")" },
      tensors: tensors, inputs: inputs, outputs: outputs,
      unanswered: document.outputs.map(\.name).filter { seen.outputs[$0] == nil })
  }

  private static func neighbour(of path: String) throws(NetconvError) -> String {
    _ = try RandomAccessFile(path: path)
    let folder = Directory.parent(of: path)
    for candidate in [folder, folder + "/.."] {
      if try Directory.kind(of: candidate + "/" + ProbeDocument.fileName) == .file {
        return candidate
      }
    }
    throw NetconvError.noProbe(beside: path).inFile(path)
  }
}

extension ProbeDocument {
  /// A hundred times the error of float32 in a sum of a few dozen products, and far below the effect of any wrong
  /// weight.
  fileprivate static let outputTolerance: Float = 1e-4

  /// Returns the order of axes of a tensor, an input or the output of a layer, and their sizes.
  func order(of name: String) -> (layout: Layout, sizes: [Axis: Int])? {
    tensors.first { $0.name == name }?.order
      ?? (inputs + outputs).first { $0.name == name }?.order
  }
}

extension ProbeDocument.Tensor {
  fileprivate var order: (layout: Layout, sizes: [Axis: Int]) {
    let order = Layout(layout) ?? .c
    return (
      order,
      Dictionary(uniqueKeysWithValues: order.axes.map { ($0, sizes[$0.description] ?? 1) })
    )
  }

  fileprivate func row(
    _ seen: ReportedArray, among tensors: [ProbeDocument.Tensor]
  ) -> ProbeCheckReport.Row {
    let reading = Reading(
      values, order.layout, sizes: order.sizes, type: ElementType(rawValue: dtype))
    var finding = reading.finding(seen)
    // Kernels all count from 0; only the values of vectors are unique.
    if finding != nil, seen.values != values,
      let other = tensors.first(where: { $0.name != name && $0.values == seen.values })
    {
      finding = "holds the values of \(other.layer) \(other.role)"
    }
    return ProbeCheckReport.Row(
      name, layer: layer, role: role, layout: layout, reading, seen, finding: finding)
  }
}

extension ProbeDocument.Array {
  fileprivate var order: (layout: Layout, sizes: [Axis: Int]) {
    let names = [4: "HWC", 3: "WC"]
    let order = names[shape.count].flatMap { Layout($0) } ?? .c
    return (order, Dictionary(uniqueKeysWithValues: zip(order.axes, shape.dropFirst())))
  }

  /// - Parameter tolerance: the largest accepted distance of a value, relative to the largest value.
  fileprivate func row(_ seen: ReportedArray, tolerance: Float) -> ProbeCheckReport.Row {
    let largest = values.map(\.magnitude).max() ?? 0
    let reading = Reading(
      values, order.layout, sizes: order.sizes, type: nil, tolerance: tolerance * largest)
    return ProbeCheckReport.Row(
      name, layer: name, role: nil, layout: order.layout.description, reading, seen,
      finding: reading.finding(seen))
  }
}

extension ProbeCheckReport.Row {
  fileprivate init(
    _ name: String, layer: String, role: String?, layout: String, _ reading: Reading,
    _ seen: ReportedArray, finding: String?
  ) {
    self.name = name
    self.layer = layer
    self.role = role
    self.layout = layout
    right = finding == nil
    self.finding = finding
    shape = seen.shape
    unchecked = finding == nil ? reading.uncheckedAxes(seen).map(\.description) : []
  }
}

extension NetconvError {
  fileprivate static func noProbe(beside path: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "there is no \(ProbeDocument.fileName) beside it or in the folder above; name the folder that netconv "
        + "probe wrote with \(.probeFolder)")
  }
}
