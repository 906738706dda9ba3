import Documents
import ModelIR

/// A layer as Keras's configuration has it.
struct KerasLayerConfig: Sendable {
  /// The class: `Conv2D`; one that is not Keras's own has its package in front: `mine>Conv2D`.
  let className: String
  /// The class that the configuration states, without its package.
  let bareClass: String
  /// The class of the layer that it lies in, if that only acts in training; `nil` for most.
  private(set) var wrapper: String?
  /// What the wrapper calls it.
  private(set) var wrapped: String?
  /// Unique in the model; of a layer in a wrapper the wrapper's name.
  var name: String
  /// The layer's own settings.
  var settings: JSONValue
  /// What the function was called with, if the layer is one that the framework recorded.
  let operands: [KerasOperand]
  /// The first number of the version of Keras that wrote the model; some names mean other things since.
  var kerasVersion = 2
  /// Whether the layer has channels first in the configuration, and is taken to have them last.
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

  /// The class that the configuration states.
  var statedClass: String { wrapper ?? className }

  /// What values without a type are, for a layer whose weights are bfloat16.
  ///
  /// HDF5 has no such type, and h5py writes opaque values. Other policies have weights of types that HDF5
  /// knows.
  var opaqueType: ElementType? {
    let policy = settings["dtype"]
    let name = policy?.string ?? policy?["config"]?["name"]?.string
    return name == ElementType.bfloat16.rawValue ? .bfloat16 : nil
  }

  /// The same layer with another value of a setting.
  func replacing(_ key: String, with value: JSONValue) -> KerasLayerConfig {
    guard case .object(var members) = settings else { return self }
    members[key] = value
    var layer = self
    layer.settings = .object(members)
    return layer
  }

  /// The value of a setting, `null` included; `nil` if the configuration lacks it.
  ///
  /// Keras 3 writes arrays of NumPy and tuples as objects that hold the elements; they count as lists.
  func value(of key: String) -> JSONValue? {
    guard case .object(let members) = settings, let value = members[key] else { return nil }
    return Self.unwrapped(value)
  }

  /// The elements of an object that stands for an array or a tuple; anything else as it is.
  static func unwrapped(_ value: JSONValue) -> JSONValue {
    switch value["class_name"]?.string {
    case "__numpy__", "__tensor__": value["config"]?["value"] ?? value
    case "__tuple__": value["items"] ?? value
    default: value
    }
  }
}
