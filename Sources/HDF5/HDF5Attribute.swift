import ModelIR

/// The value of an attribute.
///
/// An empty `shape` means a scalar: one value.
public enum HDF5Attribute: Sendable, Equatable {
  /// Strings; invalid UTF-8 is repaired.
  case strings([String], shape: [Int])
  /// Integers; a Boolean is 0 or 1.
  case integers([Int64], shape: [Int])
  /// Floating-point numbers.
  case floats([Double], shape: [Int])
  /// A type without a value.
  case empty
  /// An unsupported value, with a description.
  case unsupported(String)
}

extension HDF5File {
  /// Returns the string attribute `name` of the object at `path`.
  ///
  /// - Returns: `nil` if there is no such object or attribute.
  /// - Throws: `badData` if it is not a single string.
  public func string(_ name: String, at path: String) throws(NetconvError) -> String? {
    guard let attribute = self[path]?.attributes[name] else { return nil }
    guard case .strings(let values, _) = attribute, values.count == 1 else {
      throw attributeError(name, at: path, expected: "a string", found: attribute)
    }
    return values[0]
  }

  /// Returns the attribute `name` of the object at `path` as strings, in stored order.
  ///
  /// - Returns: `nil` if there is no such object or attribute; an empty list for an empty float64 attribute, as h5py
  ///   writes empty lists of names.
  /// - Throws: `badData` if it does not contain strings.
  public func strings(_ name: String, at path: String) throws(NetconvError) -> [String]? {
    switch self[path]?.attributes[name] {
    case nil: return nil
    case .strings(let values, _): return values
    case .empty, .floats([], _): return []
    case let attribute?:
      throw attributeError(name, at: path, expected: "strings", found: attribute)
    }
  }

  /// Returns the attribute `name` of the object at `path` as integers, in stored order.
  ///
  /// - Returns: `nil` if there is no such object or attribute.
  /// - Throws: `badData` if it does not contain integers.
  public func integers(_ name: String, at path: String) throws(NetconvError) -> [Int64]? {
    guard let attribute = self[path]?.attributes[name] else { return nil }
    guard case .integers(let values, _) = attribute else {
      throw attributeError(name, at: path, expected: "integers", found: attribute)
    }
    return values
  }

  /// Returns the attribute `name` of the object at `path` as floating-point numbers, in stored order.
  ///
  /// - Returns: `nil` if there is no such object or attribute.
  /// - Throws: `badData` if it does not contain floating-point numbers.
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
