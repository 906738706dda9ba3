import Documents
import ModelIR

/// A layer as Keras's configuration has it.
struct KerasLayerConfig: Sendable {
  /// The class, without its package: `Conv2D`.
  let className: String
  /// Unique in the model.
  let name: String
  /// The layer's own settings.
  let settings: JSONValue
  /// The first number of the version of Keras that wrote the model; some names mean other things since.
  var kerasVersion = 2

  /// Reads `{"class_name": …, "config": {"name": …}}`.
  ///
  /// - Throws: `badData` naming `place` if the class or the name is missing.
  init(_ value: JSONValue, place: String) throws(NetconvError) {
    guard let className = value["class_name"]?.string else {
      throw .configMissing("class_name", place: place)
    }
    guard let name = value["config"]?["name"]?.string ?? value["name"]?.string else {
      throw .configMissing("config.name", place: place)
    }
    self.className = className
    self.name = name
    settings = value["config"] ?? .object([:])
  }

  /// What values without a type are, for a layer whose weights are bfloat16: HDF5 has no such type, and
  /// h5py writes opaque values. Other policies have weights of types that HDF5 knows.
  var opaqueType: ElementType? {
    let policy = settings["dtype"]
    let name = policy?.string ?? policy?["config"]?["name"]?.string
    return name == ElementType.bfloat16.rawValue ? .bfloat16 : nil
  }

  /// The value of a setting, `null` included; `nil` if the configuration lacks it.
  ///
  /// Keras 3 writes arrays of NumPy and tuples as objects that hold the elements; they count as lists.
  func value(of key: String) -> JSONValue? {
    guard case .object(let members) = settings, let value = members[key] else { return nil }
    switch value["class_name"]?.string {
    case "__numpy__", "__tensor__": return value["config"]?["value"] ?? value
    case "__tuple__": return value["items"] ?? value
    default: return value
    }
  }
}
