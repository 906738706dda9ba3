import ModelIR
import Readers
import Transforms

extension ReadSource {
  /// Returns the orders of axes in the source for the arrays of a model.
  func axes(of model: Model) -> SourceAxes {
    SourceAxes(of: model, layouts: converted?.sourceLayouts ?? [:])
  }
}

extension ConvertedSource {
  /// The layouts of the parameters in the source of the conversion, by layer and role.
  var sourceLayouts: [String: [ParameterRole: Layout]] {
    var layouts: [String: [ParameterRole: Layout]] = [:]
    for tensor in tensors {
      guard let layout = Layout(tensor.record.source.layout) else { continue }
      layouts[tensor.record.layer, default: [:]][ParameterRole(rawValue: tensor.record.role)] =
        layout
    }
    return layouts
  }
}
