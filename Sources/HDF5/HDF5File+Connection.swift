import Confinement

extension HDF5File {
  private static let current = CurrentConnection<HDF5Connection>()

  /// The process that reads HDF5 files which are opened from now on; `nil`, as at first, if it is this one.
  package static var connection: HDF5Connection? {
    get { current.value }
    set { current.value = newValue }
  }
}
