import Documents
import ModelIR

/// The arrays of a layer of RTNeural's JSON.
struct RTNeuralArrays {
  /// The channels that come in.
  let channels: Int
  /// The channels that go out.
  let units: Int
  private let values: [JSONValue]
  private let path: String

  /// The arrays at `path`.
  init(_ values: [JSONValue], at path: String, channels: Int, units: Int) {
    self.values = values
    self.path = path
    self.channels = channels
    self.units = units
  }

  /// What an array is to the layer, and its shape.
  typealias Part = (role: ParameterRole, shape: [Int])

  /// The shape of an array by the first of its lists; `nil` if there is no such array.
  func shape(_ index: Int) -> [Int]? {
    values.indices.contains(index) ? values[index].nestedShape : nil
  }

  /// The arrays by what they are; the last of `parts` may be missing as far as `counts` allows.
  ///
  /// - Throws: `badData` with what was found and expected, if there are more or fewer arrays or numbers.
  func named(
    _ parts: [Part], counts: ClosedRange<Int>
  ) throws(NetconvError) -> [ParameterRole: StoredTensor] {
    guard counts.contains(values.count) else {
      throw .wrongArrayCount(values.count, expected: counts)
    }
    var parameters: [ParameterRole: StoredTensor] = [:]
    for (index, part) in parts.prefix(values.count).enumerated() {
      parameters[part.role] = StoredTensor(
        source: ArraySource(try numbers(index, part)), layout: nil, shape: nil,
        path: "\(path)[\(index)]")
    }
    return parameters
  }

  /// The bias has two rows: what is added to the input's sums, and what behind the recurrent kernel.
  func ofGRU() throws(NetconvError) -> [ParameterRole: StoredTensor] {
    var parameters = try named(
      [
        (.kernel, [channels, 3 * units]), (.recurrent, [units, 3 * units]),
        (.bias, [2, 3 * units]),
      ],
      counts: 3...3)
    if let both = parameters[.bias] {
      for (index, role) in [ParameterRole.bias, .recurrentBias].enumerated() {
        var row = both
        row.source = SliceSource(both.source, index * 3 * units..<(index + 1) * 3 * units)
        row.path += "[\(index)]"
        parameters[role] = row
      }
    }
    return parameters
  }

  /// Four vectors begin with gamma and beta, two have none.
  func ofNormalization() throws(NetconvError) -> [ParameterRole: StoredTensor] {
    guard values.count != 3 else { throw .wrongArrayCount(3, expected: 2...2) }
    let affine: [ParameterRole] = values.count == 4 ? [.gamma, .beta] : []
    return try named(
      (affine + [.mean, .variance]).map { ($0, [channels]) },
      counts: affine.count + 2...affine.count + 2)
  }

  private func numbers(_ index: Int, _ part: Part) throws(NetconvError) -> [Float] {
    let found = values[index].nestedShape
    guard found == part.shape else {
      throw NetconvError.wrongArrayShape(found, expected: part.shape)
        .inTensor(part.role.rawValue)
    }
    do {
      return try values[index].numbers(part.shape[...], at: "\(path)[\(index)]")
    } catch {
      throw error.inTensor(part.role.rawValue)
    }
  }
}

extension RTNeuralArrays {
  /// The arrays of a fully-connected layer.
  var dense: [Part] { [(.kernel, [channels, units]), (.bias, [units])] }

  /// The arrays of a layer of long short-term memory.
  var lstm: [Part] {
    [(.kernel, [channels, 4 * units]), (.recurrent, [units, 4 * units]), (.bias, [4 * units])]
  }
}
