import Foundation
import Metal

extension NAME {
  #if customLayers
  /// Makes the network with the weights that are a resource of this package.
  ///
  /// - Parameter customLayers: computes the layers that only the app knows.
  public convenience init(device: MTLDevice, customLayers: any NAMECustomLayers) throws {
    try self.init(device: device, archive: NAMEArchive.bundled(), customLayers: customLayers)
  }
  #else
  /// Makes the network with the weights that are a resource of this package.
  public convenience init(device: MTLDevice) throws {
    try self.init(device: device, archive: NAMEArchive.bundled())
  }
  #endif
}

extension NAMEArchive {
  /// The archive that is a resource of this package.
  public static func bundled() throws -> NAMEArchive {
    guard let url = Bundle.module.url(forResource: "NAME", withExtension: "netpack") else {
      throw NAMEError("NAME.netpack is not among the package's resources")
    }
    return try NAMEArchive(contentsOf: url)
  }
}
