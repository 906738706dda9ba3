import ModelIR

/// The value of an attribute.
///
/// An empty `shape` means a scalar: one value.
public enum HDF5Attribute: Sendable, Equatable {
  /// Text; invalid UTF-8 is repaired.
  case strings([String], shape: [Int])
  /// Whole numbers; a truth value is 0 or 1.
  case integers([Int64], shape: [Int])
  /// Floating-point numbers.
  case floats([Double], shape: [Int])
  /// A type and no value.
  case empty
  /// A value that netconv does not read, in words.
  case unsupported(String)
}

extension HDF5File {
  /// The text of the attribute `name` of the object at `path`.
  ///
  /// - Returns: `nil` if there is no such object or attribute.
  /// - Throws: `badData` if it is anything but one string.
  public func string(_ name: String, at path: String) throws(NetconvError) -> String? {
    guard let attribute = self[path]?.attributes[name] else { return nil }
    guard case .strings(let values, _) = attribute, values.count == 1 else {
      throw attributeError(name, at: path, expected: "a string", found: attribute)
    }
    return values[0]
  }

  /// The texts of the attribute `name` of the object at `path`, in stored order.
  ///
  /// - Returns: `nil` if there is no such object or attribute; an attribute of float64 without values
  ///   is no strings, as h5py writes an empty list of names so.
  /// - Throws: `badData` if it is anything but strings.
  public func strings(_ name: String, at path: String) throws(NetconvError) -> [String]? {
    switch self[path]?.attributes[name] {
    case nil: return nil
    case .strings(let values, _): return values
    case .empty, .floats([], _): return []
    case let attribute?:
      throw attributeError(name, at: path, expected: "strings", found: attribute)
    }
  }

  /// The whole numbers of the attribute `name` of the object at `path`, in stored order.
  ///
  /// - Returns: `nil` if there is no such object or attribute.
  /// - Throws: `badData` if it is anything but integers.
  public func integers(_ name: String, at path: String) throws(NetconvError) -> [Int64]? {
    guard let attribute = self[path]?.attributes[name] else { return nil }
    guard case .integers(let values, _) = attribute else {
      throw attributeError(name, at: path, expected: "integers", found: attribute)
    }
    return values
  }

  /// The numbers of the attribute `name` of the object at `path`, in stored order.
  ///
  /// - Returns: `nil` if there is no such object or attribute.
  /// - Throws: `badData` if it is anything but floating-point numbers.
  public func floats(_ name: String, at path: String) throws(NetconvError) -> [Double]? {
    guard let attribute = self[path]?.attributes[name] else { return nil }
    guard case .floats(let values, _) = attribute else {
      throw attributeError(name, at: path, expected: "floating-point numbers", found: attribute)
    }
    return values
  }

  private func attributeError(
    _ name: String, at path: String, expected: String, found: HDF5Attribute
  ) -> NetconvError {
    .wrongAttribute(name, of: path, expected: expected, found: found).inFile(self.path)
  }
}
