import Datasets
import ModelIR
import Transforms

/// Activations that some framework saved: arrays called like the layers and inputs of a model.
///
/// Of a source with channels first they have its order of axes or the model's, each for itself.
struct SavedActivations {
  /// By the name of the layer or input, in the model's order of axes; the first is the batch.
  let values: [String: NDArray<Float>]
  /// What was fed.
  let inputs: [String: NDArray<Float>]
  /// Samples.
  let count: Int
  /// The order of axes that an array has in the file, where there are two.
  let orders: [String: PixelStep.AxisOrder]
  /// What a user should know about that.
  let events: [Event]

  /// Reads the arrays of an `.npz`.
  ///
  /// - Throws: `cannotOpen`, or `badData` if an input is missing, a name is no layer's, a shape is not the layer's,
  ///   or a value is not finite.
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

/// In which orders of axes arrays were saved.
private struct SavedOrders {
  /// By the name of the layer or input, where there are two.
  private(set) var byName: [String: PixelStep.AxisOrder] = [:]
  private var ambiguous: [String] = []
  /// By the order that they were put into.
  private var moved: [PixelStep.AxisOrder: [String]] = [:]
  private let axes: SourceAxes

  init(_ axes: SourceAxes) {
    self.axes = axes
  }

  /// An array in the order that the model has it in.
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

  /// What a user should know.
  var events: [Event] {
    [
      moved[.channelsLast].map { .activationsMovedLast($0) },
      moved[.channelsFirst].map { .activationsMovedFirst($0) },
      ambiguous.isEmpty ? nil : .activationsOfEitherOrder(ambiguous),
    ].compactMap(\.self)
  }
}
