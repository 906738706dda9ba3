import Documents
import ModelIR

/// A layer in a Keras configuration.
struct KerasLayerConfig: Sendable {
  /// The class name: `Conv2D`; the name of a custom class starts with its package: `mine>Conv2D`.
  let className: String
  /// The class name without its package.
  let bareClass: String
  /// The class of the enclosing wrapper layer, if that has an effect in training only; usually `nil`.
  private(set) var wrapper: String?
  /// The name of the layer inside its wrapper.
  private(set) var wrapped: String?
  /// The unique name in the model; that of the wrapper for a wrapped layer.
  var name: String
  var settings: JSONValue
  /// The operands, if the layer is a recorded function call.
  let operands: [KerasOperand]
  /// The major version of Keras that wrote the model; some names have changed their meaning.
  var kerasVersion = 2
  /// The minor version, if it is known.
  var kerasMinor: Int?
  /// True if the configuration is channels-first and the layer has been converted to channels-last.
  var hasMovedChannels = false

  /// Reads `{"class_name": …, "config": {"name": …}}`.
  ///
  /// - Throws: `badData` naming `place` if the class or the name is missing.
  init(_ value: JSONValue, place: String) throws(NetconvError) {
    guard let className = value.kerasClass else {
      throw .configMissing("class_name", place: place)
    }
    bareClass = value["class_name"]?.string ?? className
    guard let name = value["config"]?["name"]?.string ?? value["name"]?.string else {
      throw .layerWithoutName(className, place: place)
    }
    self.name = name
    do {
      if let call = try KerasFunctionCall(value) {
        self.className = call.name
        settings = .object(call.settings)
        operands = call.operands
      } else {
        let inner = KerasSpectralNormalization.wrapped(in: value)
        if inner != nil { wrapper = className }
        wrapped = inner?.name
        self.className = inner?.className ?? className
        settings = inner?.settings ?? value["config"] ?? .object([:])
        operands = []
      }
    } catch {
      throw error.inLayer(name)
    }
  }

  /// The class name in the configuration.
  var statedClass: String { wrapper ?? className }

  /// The element type of opaque values, for a layer whose weights are bfloat16.
  ///
  /// HDF5 has no bfloat16, so h5py writes opaque values. The weight types of all other policies exist in HDF5.
  var opaqueType: ElementType? {
    let policy = settings["dtype"]
    let name = policy?.string ?? policy?["config"]?["name"]?.string
    return name == ElementType.bfloat16.rawValue ? .bfloat16 : nil
  }

  /// Returns the layer with a different value for a setting.
  func replacing(_ key: String, with value: JSONValue) -> KerasLayerConfig {
    guard case .object(var members) = settings else { return self }
    members[key] = value
    var layer = self
    layer.settings = .object(members)
    return layer
  }

  /// Returns the value of a setting, including `null`; `nil` if the configuration lacks it.
  ///
  /// Keras 3 encodes NumPy arrays and tuples as objects that contain the elements; they count as lists.
  func value(of key: String) -> JSONValue? {
    guard case .object(let members) = settings, let value = members[key] else { return nil }
    return Self.unwrapped(value)
  }

  /// Returns the elements of an object that encodes an array or a tuple; any other value unchanged.
  static func unwrapped(_ value: JSONValue) -> JSONValue {
    switch value["class_name"]?.string {
    case "__numpy__", "__tensor__": value["config"]?["value"] ?? value
    case "__tuple__": value["items"] ?? value
    default: value
    }
  }
}

extension NetconvError {
  /// The error for a layer whose class has an incomplete configuration or none.
  fileprivate static func layerWithoutName(_ className: String, place: String) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "\(place) (\(escaped(className))) has no config.name, as its class has no get_config that begins with "
        + "super().get_config(); add that and save the model again, or write the tensors alone with "
        + "\(.convertWeightsOnly)")
  }
}
