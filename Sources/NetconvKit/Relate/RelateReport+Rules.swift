extension RelateReport {
  /// A rules file that was written.
  public struct Rules: Sendable, Encodable {
    /// The path of the file.
    public internal(set) var path: String
    /// The number of rules.
    public let count: Int
    /// The number of tensors of B that they make.
    public let made: Int
    /// The tensors of B that they do not make.
    public let unsaid: [Unsaid]
    /// The tensors of A that they leave out.
    public let leftOut: [String]
    /// The tensors that they make equal to those of B only up to rounding.
    public let rounded: [String]
    /// The type of all tensors of B, if `convert` does not write it by default.
    public let elementType: String?
    /// The numbers in the rules that several keys of the configuration have.
    public let sizes: [Size]

    /// A tensor of B that no rule makes.
    public struct Unsaid: Sendable, Encodable {
      /// The name of the tensor.
      public let name: String
      /// The reason, as a sentence without a subject.
      public let reason: String
    }

    /// A number, and the keys of the configuration with this value.
    public struct Size: Sendable, Encodable, Hashable {
      /// The number.
      public let size: Int
      /// The keys.
      public let keys: [String]
    }
  }
}
