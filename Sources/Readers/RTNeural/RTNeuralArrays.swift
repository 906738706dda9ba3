import Documents
import ModelIR

/// The arrays of a layer in RTNeural's JSON.
struct RTNeuralArrays {
  /// The number of input channels.
  let channels: Int
  /// The number of output channels.
  let units: Int
  private let values: [JSONValue]
  private let path: String

  init(_ values: [JSONValue], at path: String, channels: Int, units: Int) {
    self.values = values
    self.path = path
    self.channels = channels
    self.units = units
  }

  /// The role of an array in the layer, and its shape.
  typealias Part = (role: ParameterRole, shape: [Int])

  /// Returns the shape of nested lists, given by the first of each; `nil` if there is no such array.
  func shape(_ index: Int) -> [Int]? {
    values.indices.contains(index) ? values[index].nestedShape : nil
  }

  /// Returns the arrays by role; the last of `parts` may be missing as far as `counts` allows.
  ///
  /// - Throws: `badData` with the found and expected counts, if there are too many or too few arrays or numbers.
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

  /// Returns the arrays of a GRU; the rows of the bias are the input bias and the recurrent bias.
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

  /// Returns the arrays of a normalisation; four vectors start with gamma and beta, two lack them.
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
  /// The arrays of a dense layer.
  var dense: [Part] { [(.kernel, [channels, units]), (.bias, [units])] }

  /// The arrays of an LSTM.
  var lstm: [Part] {
    [(.kernel, [channels, 4 * units]), (.recurrent, [units, 4 * units]), (.bias, [4 * units])]
  }
}

extension NetconvError {
  fileprivate static func wrongArrayCount(_ found: Int, expected: ClosedRange<Int>) -> NetconvError
  {
    let count =
      expected.count == 1
      ? "\(expected.lowerBound)" : "\(expected.lowerBound) or \(expected.upperBound)"
    return NetconvError(.badData, "'weights' holds \(found) arrays, expected \(count)")
  }

  fileprivate static func wrongArrayShape(_ found: [Int], expected: [Int]) -> NetconvError {
    NetconvError(.badData, "the lists are of shape \(found), expected \(expected)")
  }
}
