import ModelIR
import Readers
import Transforms

extension ReadSource {
  /// In which orders the source has the axes of a model's arrays.
  func axes(of model: Model) -> SourceAxes {
    SourceAxes(of: model, layouts: converted?.sourceLayouts ?? [:])
  }
}

extension ConvertedSource {
  /// In which layouts the parameters lay in what was converted, by layer and role.
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
