import FilterEditor
import MetalKit
import SwiftUI

/// The editor's view, which is drawn when one of the numbers has changed.
struct PictureView {
  let editor: FilterEditor
  let saturation: Double
  let radius: Double

  private func makeView() -> MTKView {
    editor.view.isPaused = true
    editor.view.enableSetNeedsDisplay = true
    return editor.view
  }

  private func update() {
    editor.saturation = saturation
    editor.radius = radius
  }
}

#if os(macOS)
  extension PictureView: NSViewRepresentable {
    func makeNSView(context: Context) -> MTKView { makeView() }

    func updateNSView(_ view: MTKView, context: Context) {
      update()
      view.needsDisplay = true
    }
  }
#else
  extension PictureView: UIViewRepresentable {
    func makeUIView(context: Context) -> MTKView { makeView() }

    func updateUIView(_ view: MTKView, context: Context) {
      update()
      view.setNeedsDisplay()
    }
  }
#endif
