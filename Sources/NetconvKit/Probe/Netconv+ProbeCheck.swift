import Diagnosis
import Files
import ModelIR

/// How a loader read a probe.
public struct ProbeCheckReport: Report {
  /// The name of its schema.
  public static let schema = "probe-check"

  /// The folder of the probe.
  public let probe: String
  /// The file with what the loader saw.
  public let answers: String
  /// Whether all of it is right.
  public let passed: Bool
  /// What is not, in words; empty if ``passed``.
  public let failures: [String]
  /// The tensors, in the order of the model; none if the answers have none.
  public let tensors: [Row]
  /// What was fed, as far as the answers have it.
  public let inputs: [Row]
  /// What layers give, in the order of the model, as far as the answers have it.
  public let outputs: [Row]
  /// The layers for which the answers do not have what they give.
  public let unanswered: [String]

  /// A tensor, or what a layer gives.
  public struct Row: Sendable, Encodable {
    /// The tensor's name, or the layer's.
    public let name: String
    /// The layer.
    public let layer: String
    /// What a tensor is to its layer; `nil` for what a layer gives.
    public let role: String?
    /// The order of the axes.
    public let layout: String
    /// Whether it is what it should be.
    public let right: Bool
    /// What is wrong.
    public let finding: String?
    /// The shape that it was given with.
    public let shape: [Int]?
    /// Of what is right, the axes whose order the answer does not show: a flat list has no axes.
    public let unchecked: [String]
  }
}

extension Netconv {
  /// Compares what somebody's loader saw of a probe with what it should have seen, and says what it did with it.
  ///
  /// - Parameters:
  ///   - answers: an `.npz` with arrays called like tensors, or like layers for what these give; or JSON lines.
  ///   - probe: the folder of the probe; `nil` for the folder of `answers`, or the one above.
  /// - Throws: `usage` if there is no probe, `cannotOpen`, or `badData` if answers are missing. A wrong answer is no
  ///   error: see ``ProbeCheckReport/passed``.
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
  /// A hundred times what float32 loses in a sum of some dozens of products, and far below what any wrong weight
  /// does.
  fileprivate static let outputTolerance: Float = 1e-4

  /// The order of the axes of a tensor, an input or what a layer gives, and their sizes.
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
    _ seen: SeenArray, among tensors: [ProbeDocument.Tensor]
  ) -> ProbeCheckReport.Row {
    let reading = Reading(
      values, order.layout, sizes: order.sizes, type: ElementType(rawValue: dtype))
    var finding = reading.finding(seen)
    // Kernels count alike: only vectors are told from each other by their values.
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

  /// - Parameter tolerance: how far a value may be, as a fraction of the largest.
  fileprivate func row(_ seen: SeenArray, tolerance: Float) -> ProbeCheckReport.Row {
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
    _ seen: SeenArray, finding: String?
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
