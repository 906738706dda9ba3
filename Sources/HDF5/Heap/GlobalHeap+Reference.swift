import ModelIR

extension GlobalHeap {
  /// The sizes of addresses and lengths in a file, as its superblock states them.
  package struct Widths: Sendable {
    /// The size of an address in bytes.
    package let address: Int
    /// The size of a length in bytes.
    package let length: Int

    /// - Throws: `badData` unless both are 2, 4 or 8, the sizes that libhdf5 supports.
    package init(address: Int, length: Int) throws(NetconvError) {
      guard [2, 4, 8].contains(address), [2, 4, 8].contains(length) else {
        throw .widths(address: address, length: length)
      }
      self.address = address
      self.length = length
    }

    /// The size of a string reference: its length, the address of a collection, and the index of an object.
    package var reference: Int { 4 + address + 4 }

    /// The size of a collection header: signature, version, padding and size.
    var collectionHeader: Int { Self.aligned(8 + length) }

    /// The size of an object header: index, reference count, padding and size.
    var objectHeader: Int { Self.aligned(8 + length) }

    /// Rounds up to a multiple of 8, the alignment of headers.
    static func aligned(_ size: Int) -> Int { (size + 7) & ~7 }

    /// Decodes the length at the start of `bytes`.
    func length(in bytes: ArraySlice<UInt8>) -> UInt64 { littleEndian(bytes.prefix(length)) }
  }

  /// A reference to a string in the global heap.
  ///
  /// Source: HDF5 File Format Specification 3.0, IV.A.2.d "The Datatype Message", class 9, "variable-length": the
  /// length, then the global heap ID of III.E.
  package struct Reference: Sendable {
    /// The length of the string in bytes.
    package let length: Int
    /// The address of the collection.
    package let address: UInt64
    /// The index of the object in the collection.
    package let index: Int

    /// Decodes a reference from `bytes`, whose size depends on `widths`.
    package init(_ bytes: ArraySlice<UInt8>, widths: Widths) {
      length = Int(littleEndian(bytes.prefix(4)))
      address = littleEndian(bytes.dropFirst(4).prefix(widths.address))
      index = Int(littleEndian(bytes.dropFirst(4 + widths.address).prefix(4)))
    }
  }
}

/// Decodes a little-endian number.
func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
  bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
}
