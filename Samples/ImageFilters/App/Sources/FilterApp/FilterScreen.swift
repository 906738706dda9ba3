import FilterEditor
import SwiftUI
import UniformTypeIdentifiers

/// The picture, and the sliders below it.
struct FilterScreen: View {
  @State private var editor: FilterEditor?
  @State private var message = "Open a picture."
  @State private var isOpening = false
  @State private var saturation = 0.5
  @State private var radius = 2.5

  var body: some View {
    VStack {
      if let editor {
        // Both numbers are parameters, so that a moved slider draws the view again.
        PictureView(editor: editor, saturation: saturation, radius: radius)
      } else {
        Text(message).frame(maxWidth: .infinity, maxHeight: .infinity)
      }
      slider("Saturation", $saturation, in: 0...2)
      slider("Blur", $radius, in: 0...16)
      Button("Open…") { isOpening = true }
    }
    .padding()
    .fileImporter(isPresented: $isOpening, allowedContentTypes: [.image]) { open($0) }
  }

  private func slider(
    _ name: String, _ value: Binding<Double>, in range: ClosedRange<Double>
  ) -> some View {
    HStack {
      Text(name).frame(width: 90, alignment: .leading)
      Slider(value: value, in: range)
      Text(value.wrappedValue, format: .number.precision(.fractionLength(2)))
        .monospacedDigit().frame(width: 50, alignment: .trailing)
    }
  }

  private func open(_ result: Result<URL, any Error>) {
    do {
      let image = try PictureFile.image(at: result.get())
      if let editor {
        try editor.show(image)
      } else {
        editor = try FilterEditor(image)
      }
    } catch {
      editor = nil
      message = "\(error)"
    }
  }
}
