import ModelIR

extension GlobalHeap {
  /// How wide a file writes places and lengths; its superblock says so.
  package struct Widths: Sendable {
    /// Bytes of an address.
    package let address: Int
    /// Bytes of a length.
    package let length: Int

    /// - Throws: `badData` unless both are 2, 4 or 8; libhdf5 reads no others.
    package init(address: Int, length: Int) throws(NetconvError) {
      guard [2, 4, 8].contains(address), [2, 4, 8].contains(length) else {
        throw .widths(address: address, length: length)
      }
      self.address = address
      self.length = length
    }

    /// Bytes of a reference to a text: its length, the address of a collection, the number of an object.
    package var reference: Int { 4 + address + 4 }

    /// Bytes before the first object of a collection: signature, version, zeros, size.
    var collectionHeader: Int { Self.aligned(8 + length) }

    /// Bytes before an object: number, count of references, zeros, size.
    var objectHeader: Int { Self.aligned(8 + length) }

    /// The next multiple of 8, where the next header begins.
    static func aligned(_ size: Int) -> Int { (size + 7) & ~7 }

    /// The length that `bytes` begin with.
    func length(in bytes: ArraySlice<UInt8>) -> UInt64 { littleEndian(bytes.prefix(length)) }
  }

  /// What stands in the place of a text.
  ///
  /// Source: HDF5 File Format Specification 3.0, IV.A.2.d "The Datatype Message", class 9, "variable-length": the
  /// length, then the global heap ID of III.E.
  package struct Reference: Sendable {
    /// Bytes of the text.
    package let length: Int
    /// Where the collection is.
    package let address: UInt64
    /// The object's number in it.
    package let index: Int

    /// The reference that `bytes`, as many as `widths` says, are.
    package init(_ bytes: ArraySlice<UInt8>, widths: Widths) {
      length = Int(littleEndian(bytes.prefix(4)))
      address = littleEndian(bytes.dropFirst(4).prefix(widths.address))
      index = Int(littleEndian(bytes.dropFirst(4 + widths.address).prefix(4)))
    }
  }
}

/// The number whose lowest byte comes first.
func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
  bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
}
