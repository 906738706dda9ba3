import Foundation
import Metal

/// A parameter that the network asks for.
public struct NAMEParameter {
  /// The layer, as the model calls it.
  public let layer: String
  /// What it is to the layer: `kernel`, `bias`, `gamma` and so on.
  public let role: String
  /// Sizes, in the order in which the values lie.
  public let shape: [Int]
  /// Whether the values are halves; otherwise they are floats.
  public let isHalf: Bool

  /// The number of values.
  public var count: Int { shape.reduce(1, *) }
  /// What the values take.
  public var byteCount: Int { count * (isHalf ? 2 : 4) }
}

/// Where the parameters of a network come from: its archive, or anywhere.
struct NAMEParameters {
  private let load: (NAMEParameter) throws -> NAMETensor

  /// The parameters of an archive, where they lie.
  init(_ archive: NAMEArchive) {
    load = { parameter in
      guard let tensor = archive.tensor(parameter.layer, parameter.role) else {
        throw NAMEError("the \(parameter.role) of \(parameter.layer) is missing")
      }
      // Axes of a single value may be left out.
      guard tensor.shape.filter({ $0 != 1 }) == parameter.shape.filter({ $0 != 1 }) else {
        throw NAMEError(
          "the \(parameter.role) of \(parameter.layer) is \(tensor.shape), not \(parameter.shape)")
      }
      return tensor
    }
  }

  /// What a function gives; of each parameter there is a copy.
  init(_ values: @escaping (NAMEParameter) throws -> Data) {
    load = { parameter in
      let bytes = try values(parameter)
      guard bytes.count == parameter.byteCount else {
        throw NAMEError(
          "the \(parameter.role) of \(parameter.layer) has \(parameter.byteCount) bytes, not \(bytes.count)"
        )
      }
      let memory = NAMEMemory(bytes)
      return NAMETensor(
        owner: memory, offset: 0, shape: parameter.shape, isHalf: parameter.isHalf,
        pointer: memory.start)
    }
  }

  /// A parameter that the network has.
  ///
  /// - Parameter shape: sizes, in the order in which the values lie.
  func tensor(
    _ layer: String, _ role: String, _ shape: [Int], isHalf: Bool = false
  ) throws -> NAMETensor {
    try load(NAMEParameter(layer: layer, role: role, shape: shape, isHalf: isHalf))
  }
}

/// A copy of bytes that stays where it is.
private final class NAMEMemory {
  let start: UnsafeMutableRawPointer

  init(_ bytes: Data) {
    start = .allocate(byteCount: max(1, bytes.count), alignment: 16)
    bytes.copyBytes(
      to: UnsafeMutableRawBufferPointer(start: start, count: bytes.count), count: bytes.count)
  }

  deinit { start.deallocate() }
}

extension NAME {
  #if customLayers
  /// Makes the network with the weights of an archive.
  ///
  /// - Parameter customLayers: computes the layers that only the app knows.
  public convenience init(
    device: MTLDevice, archive: NAMEArchive, customLayers: any NAMECustomLayers
  ) throws {
    #if folds
    guard archive.folded == Self.folded else {
      throw NAMEError(
        "in the archive other layers are folded into kernels than in the code; convert it with --fold-batch-norm"
      )
    }
    #endif
    try self.init(
      device: device, parameters: NAMEParameters(archive), customLayers: customLayers)
  }

  /// Makes the network with weights from anywhere: a download, an encrypted file, a file of your own.
  ///
  /// - Parameters:
  ///   - customLayers: computes the layers that only the app knows.
  ///   - values: gives the bytes of a parameter, little-endian, as the archive of this package has them. What it throws
  ///     ends the initialiser.
  public convenience init(
    device: MTLDevice, customLayers: any NAMECustomLayers,
    values: @escaping (NAMEParameter) throws -> Data
  ) throws {
    try self.init(
      device: device, parameters: NAMEParameters(values), customLayers: customLayers)
  }
  #else
  /// Makes the network with the weights of an archive.
  public convenience init(device: MTLDevice, archive: NAMEArchive) throws {
    #if folds
    guard archive.folded == Self.folded else {
      throw NAMEError(
        "in the archive other layers are folded into kernels than in the code; convert it with --fold-batch-norm"
      )
    }
    #endif
    try self.init(device: device, parameters: NAMEParameters(archive))
  }

  /// Makes the network with weights from anywhere: a download, an encrypted file, a file of your own.
  ///
  /// - Parameter values: gives the bytes of a parameter, little-endian, as `netconv convert --target TARGET` writes
  ///   them. What it throws ends the initialiser.
  public convenience init(
    device: MTLDevice, values: @escaping (NAMEParameter) throws -> Data
  ) throws {
    try self.init(device: device, parameters: NAMEParameters(values))
  }
  #endif
}
