import Documents
import ModelIR

extension RunReport {
  /// The result for a picture.
  public struct Picture: Sendable, Encodable {
    /// The file name, followed by the index of an image in an array: `digits.npy[3]`.
    public let name: String
    /// The number of pixels in a row, in the orientation in which the picture is displayed.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// The number of values per pixel, including alpha.
    public let channels: Int
    /// All preprocessing that was applied.
    public let steps: [PixelStepDocument]
    /// A human-readable description of the preprocessing.
    public let text: String
    /// The largest values of the model's first output, in descending order; empty if the output is not a vector.
    public let top: [Class]

    /// A class and its output value.
    public struct Class: Sendable, Encodable {
      /// The index of the class, from 0.
      public let index: Int
      /// The name of the class; `nil` if it is unknown.
      public let label: String?
      /// The output value; `null` if it is not finite.
      public let value: Double
    }

    init(_ picture: FittedPicture, _ best: [TopValue]) {
      name = picture.name
      width = picture.form.width
      height = picture.form.height
      channels = picture.form.channels
      steps = picture.steps.map(PixelStepDocument.init)
      text = picture.steps.words
      top = best.map {
        Class(
          index: $0.index, label: $0.label.isEmpty ? nil : $0.label, value: Double($0.value))
      }
    }
  }
}
