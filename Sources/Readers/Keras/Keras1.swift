import Documents
import ModelIR

/// Translates Keras 1 configurations to those of Keras 2, so that each layer needs only one mapping.
///
/// Source: Keras 1.2.2, `get_config` of the layers; Keras 2.0, keras/legacy/interfaces.py.
enum Keras1 {
  /// The Keras 2 names of renamed layers.
  private static let classNames = [
    "Convolution1D": "Conv1D", "AtrousConvolution1D": "Conv1D",
    "Convolution2D": "Conv2D", "AtrousConvolution2D": "Conv2D",
    "SeparableConvolution2D": "SeparableConv2D",
  ]

  /// The Keras 2 names of renamed settings.
  private static let settingNames = [
    "nb_filter": "filters", "output_dim": "units", "border_mode": "padding", "subsample": "strides",
    "atrous_rate": "dilation_rate", "bias": "use_bias", "dim_ordering": "data_format", "p": "rate",
    "concat_axis": "axis", "filter_length": "kernel_size", "subsample_length": "strides",
    "pool_length": "pool_size", "stride": "strides", "length": "size",
    "inner_activation": "recurrent_activation",
  ]

  /// The layers that kept the name of a setting which others changed.
  private static let unchanged = ["Embedding": "output_dim"]

  private static let merges = [
    "sum": "Add", "mul": "Multiply", "concat": "Concatenate", "ave": "Average", "max": "Maximum",
  ]

  private static let orderings = ["tf": "channels_last", "th": "channels_first"]

  /// Settings that only Keras 1 has.
  private static let marks = ["nb_filter", "border_mode", "dim_ordering", "inner_activation"]

  /// Returns true if a configuration without a version is from Keras 1.
  static func wrote(_ model: JSONValue) -> Bool {
    layers(of: model).contains { layer in
      marks.contains { layer["config"]?[$0] != nil } || wrote(layer)
        || layer["class_name"]?.string == "Dense" && layer["config"]?["output_dim"] != nil
    }
  }

  /// Translates a model, including nested models.
  static func translated(_ model: JSONValue) -> JSONValue {
    translated(model, ordering: orderings(in: model) == ["th"] ? "th" : "tf")
  }

  private static func translated(_ model: JSONValue, ordering: String) -> JSONValue {
    guard case .object(var members) = model, let config = members["config"] else { return model }
    switch config {
    case .array(let layers):
      members["config"] = .array(layers.map { translated(layer: $0, ordering) })
    case .object(var settings):
      if let layers = settings["layers"]?.array {
        settings["layers"] = .array(layers.map { translated(layer: $0, ordering) })
      }
      members["config"] = .object(settings)
    default: break
    }
    return .object(members)
  }

  /// Image layers without a channel order of their own, which is then that of the other layers.
  private static let withoutOrdering: Set<String> = ["ZeroPadding2D", "Cropping2D", "UpSampling2D"]

  private static func orderings(in model: JSONValue) -> Set<String> {
    layers(of: model).reduce(into: []) { found, layer in
      if let ordering = layer["config"]?["dim_ordering"]?.string { found.insert(ordering) }
      found.formUnion(orderings(in: layer))
    }
  }

  private static func layers(of model: JSONValue) -> [JSONValue] {
    model["config"]?["layers"]?.array ?? model["config"]?.array ?? []
  }

  private static func translated(layer: JSONValue, _ ordering: String) -> JSONValue {
    guard layers(of: layer).isEmpty else { return translated(layer, ordering: ordering) }
    guard case .object(var members) = layer, let className = members["class_name"]?.string,
      case .object(let old)? = members["config"]
    else { return layer }
    var settings = old
    if withoutOrdering.contains(className), settings["dim_ordering"] == nil {
      settings["dim_ordering"] = .string(ordering)
    }
    for (name, newName) in settingNames
    where settings[newName] == nil && unchanged[className] != name {
      settings[newName] = settings.removeValue(forKey: name)
    }
    if let ordering = settings["data_format"]?.string, let format = orderings[ordering] {
      settings["data_format"] = .string(format)
    }
    if let rows = old["nb_row"], let columns = old["nb_col"] {
      settings["kernel_size"] = .array([rows, columns])
    }
    if let inner = old["layer"] { settings["layer"] = translated(layer: inner, ordering) }
    if className == "ZeroPadding2D" { settings["padding"] = old["padding"].map(borders) }
    if settings["shared_axes"] == .array([.null]) { settings["shared_axes"] = .null }
    var newName = classNames[className] ?? className
    if className == "Merge", let mode = old["mode"]?.string { newName = merges[mode] ?? className }
    members["class_name"] = .string(newName)
    members["config"] = .object(settings)
    return .object(members)
  }

  /// Keras 1 also accepted four numbers, or an object, for top, bottom, left and right.
  private static func borders(_ padding: JSONValue) -> JSONValue {
    let names = ["top_pad", "bottom_pad", "left_pad", "right_pad"]
    let sides: [JSONValue]
    if case .object(let members) = padding {
      sides = names.map { members[$0] ?? .number(0) }
    } else {
      sides = padding.array ?? []
    }
    guard sides.count == 4 else { return padding }
    return .array([.array([sides[0], sides[1]]), .array([sides[2], sides[3]])])
  }
}

extension KerasLayerConfig {
  /// Returns the layout of a Keras 1 convolution kernel; `nil` if it is the current one.
  ///
  /// The kernel has channels first if the data has, and sequences were images with one column.
  /// - Parameter shape: The shape of the stored kernel.
  ///
  /// Source: Keras 2.3, `preprocess_weights_for_loading`.
  func keras1KernelLayout(_ shape: [Int]?) -> Layout? {
    guard kerasVersion == 1 else { return nil }
    switch className {
    case "Conv1D":
      let isOfImages = shape.map { shape in
        shape.count == 4 && shape[0] == filterLength && shape[1] == 1
          && shape[3] == value(of: "filters")?.int
      }
      return isOfImages ?? true ? Layout("W1IO") : Layout("OIW1")
    case "Conv2D" where settings["data_format"]?.string == "channels_first": return Layout("OIHW")
    default: return nil
    }
  }

  private var filterLength: Int? {
    let size = value(of: "kernel_size")
    return size?.int ?? size?.array?.first?.int
  }
}
