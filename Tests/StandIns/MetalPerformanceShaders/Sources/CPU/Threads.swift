/// Shares iterations among the cores.
package func parallel(_ count: Int, _ body: @Sendable (Int) -> Void) {
  if count == 1 { return body(0) }
  DispatchQueue.concurrentPerform(iterations: count) { body($0) }
}
