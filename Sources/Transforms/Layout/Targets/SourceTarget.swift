import ModelIR

extension Target {
  /// The source's own layouts: of every tensor the order of its axes, and the direction along each, are kept.
  ///
  /// For consumers that read what the source's framework reads, and for those that rearrange values themselves.
  /// It makes no claim about any consumer, so that every type is allowed that netconv can write.
  package static let source = Target(
    name: "source", summary: "the source's own layouts", layouts: [:], limits: [:], reversed: [:],
    elementTypes: [.float32, .float16, .bfloat16, .int8], keepsLayouts: true)
}
