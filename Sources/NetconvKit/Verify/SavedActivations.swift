import Datasets
import ModelIR
import Transforms

/// Activations saved by a framework, in arrays named after the layers and inputs of a model.
///
/// If the source has channels first, each array may have its order of axes or the model's.
struct SavedActivations {
  /// The arrays by name of the layer or input, in the model's order of axes; the first axis is the batch.
  let values: [String: NDArray<Float>]
  /// The inputs of the model.
  let inputs: [String: NDArray<Float>]
  /// The number of samples.
  let count: Int
  /// The order of axes of an array in the file, where two are possible.
  let orders: [String: PixelStep.AxisOrder]
  /// Remarks for the user about the orders.
  let events: [Event]

  /// Reads the arrays of an `.npz` file.
  ///
  /// - Throws: `cannotOpen`, or `badData` if an input is missing, a name is not that of a layer, a shape is not that
  ///   of its layer, or a value is not finite.
  init(_ path: String, for model: Model, _ axes: SourceAxes) throws(NetconvError) {
    let arrays = try NumpyArchive.read(path)
    do throws(NetconvError) {
      let known = arrays.filter { model.shape(of: $0.name) != nil }
      guard known.count == arrays.count else {
        throw .unknownActivations(
          arrays.filter { array in !known.contains { $0.name == array.name } }.map(\.name),
          model: model)
      }
      let missing = model.inputs.filter { input in !known.contains { $0.name == input.name } }
      guard missing.isEmpty else { throw .missingActivations(missing.map(\.name)) }
      guard known.contains(where: { model.producer(of: $0.name) != nil }) else {
        throw .noActivations(model: model)
      }
      let batch = known.first.flatMap { $0.array.shape.first } ?? 0
      var values: [String: NDArray<Float>] = [:]
      var orders = SavedOrders(axes)
      for (name, array) in known {
        let sample = Array(array.shape.dropFirst())
        guard let shape = model.shape(of: name), array.shape.first == batch, batch > 0,
          axes[name]?.order(of: sample) != nil || Shape(sample).isCompatible(with: shape)
        else {
          throw NetconvError.wrongActivation(
            array.shape, expected: model.shape(of: name) ?? Shape([Int]()), batch: batch
          ).inLayer(name)
        }
        if let index = array.values.firstIndex(where: { !$0.isFinite }) {
          throw NetconvError.nonFiniteActivation(array.values[index], at: index).inLayer(name)
        }
        values[name] = orders.inModel(NDArray(shape: array.shape, values: array.values), of: name)
      }
      self.values = values
      inputs = values.filter { name, _ in model.inputs.contains { $0.name == name } }
      count = batch
      self.orders = orders.byName
      events = orders.events
    } catch {
      throw error.inFile(path)
    }
  }
}

/// The orders of axes in which arrays were saved.
private struct SavedOrders {
  /// By name of the layer or input, where two are possible.
  private(set) var byName: [String: PixelStep.AxisOrder] = [:]
  private var ambiguous: [String] = []
  /// The arrays that were rearranged, by their new order.
  private var moved: [PixelStep.AxisOrder: [String]] = [:]
  private let axes: SourceAxes

  init(_ axes: SourceAxes) {
    self.axes = axes
  }

  /// Returns an array in the model's order of axes.
  mutating func inModel(_ array: NDArray<Float>, of name: String) -> NDArray<Float> {
    let sample = Array(array.shape.dropFirst())
    guard let axes = axes[name], let order = axes.order(of: sample) else { return array }
    byName[name] = order
    if axes.isAmbiguous(sample) {
      ambiguous.append(name)
    } else if order != axes.order {
      moved[axes.order, default: []].append(name)
    }
    return axes.moved(array, from: order, to: axes.order)
  }

  /// Remarks for the user.
  var events: [Event] {
    [
      moved[.channelsLast].map { .activationsMovedLast($0) },
      moved[.channelsFirst].map { .activationsMovedFirst($0) },
      ambiguous.isEmpty ? nil : .activationsOfEitherOrder(ambiguous),
    ].compactMap(\.self)
  }
}

extension NetconvError {
  fileprivate static func unknownActivations(_ names: [String], model: Model) -> NetconvError {
    NetconvError(
      .badData,
      "holds \(names.count) \(names.count == 1 ? "array" : "arrays") without a layer of that name; the model "
        + "'\(escaped(model.name))' has the layers that netconv inspect lists",
      details: names.map { quoted($0) })
  }

  fileprivate static func missingActivations(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "lacks the values of the "
        + (names.count == 1 ? "input " : "inputs ")
        + names.quotedList
        + "; save the network's inputs under that name")
  }

  fileprivate static func noActivations(model: Model) -> NetconvError {
    NetconvError(
      .badData, "holds inputs, but no layer's output; save some under the layers' names")
  }

  fileprivate static func wrongActivation(_ found: [Int], expected: Shape, batch: Int)
    -> NetconvError
  {
    let sizes = expected.dimensions.map { $0.map(String.init) ?? "None" }
    return NetconvError(
      .badData,
      "has shape \(Shape(found)), expected (\(([String(batch)] + sizes).joined(separator: ", ")))"
        + expected.channelsHint(for: Array(found.dropFirst())))
  }

  fileprivate static func nonFiniteActivation(_ value: Float, at index: Int) -> NetconvError {
    NetconvError(
      .badData,
      "holds \(numeral(value)) at index \(index); a reference has to be finite, so look for the layer "
        + "where that begins")
  }
}

extension Event {
  /// A warning about saved activations that could have either order.
  fileprivate static func activationsOfEitherOrder(_ names: [String]) -> Event {
    let isOne = names.count == 1
    return .remark(
      "\(names.count) \(isOne ? "array fits" : "arrays fit") with channels first and with channels last; "
        + "channels first was assumed, as in the source",
      details: names.map { Message(text: quoted($0)) })
  }
}
