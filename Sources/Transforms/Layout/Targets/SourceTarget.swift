import ModelIR

extension Target {
  /// The source's own layouts: every tensor keeps the order of its axes, and the direction along each.
  ///
  /// It is for consumers that read the layouts of the source's framework, and for those that rearrange values
  /// themselves. As it makes no assumption about a consumer, every type that netconv can write is allowed.
  package static let source = Target(
    name: "source", summary: "the source's own layouts", layouts: [:], limits: [:], reversed: [:],
    elementTypes: [.float32, .float16, .bfloat16, .int8], keepsLayouts: true)
}
