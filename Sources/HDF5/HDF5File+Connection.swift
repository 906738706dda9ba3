import Confinement

extension HDF5File {
  private static let current = CurrentConnection<HDF5Connection>()

  /// The helper process for HDF5 files that are opened from now on; `nil`, the default, to read them in this process.
  package static var connection: HDF5Connection? {
    get { current.value }
    set { current.value = newValue }
  }
}
