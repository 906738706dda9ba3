/// Copies the pixels around the offset, and calls with each.
func copyPixels(
  _ input: Pass.Input, to output: Pass.Output,
  _ finish: (UnsafeMutablePointer<Float>) -> Void
) {
  for y in 0..<output.height {
    for x in 0..<output.width {
      let result = output.pixel(x, y)
      let pixel = input.plane.pixel(
        input.x + x, input.y + y, clamps: input.edgeMode == .clamp)
      if let pixel {
        result.update(from: pixel, count: output.plane.channels)
      } else {
        result.update(repeating: 0, count: output.plane.channels)
      }
      finish(result)
    }
  }
}
