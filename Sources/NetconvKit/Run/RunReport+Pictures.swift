import Documents
import ModelIR

extension RunReport {
  /// What a network says of a picture.
  public struct Picture: Sendable, Encodable {
    /// The file, and the number of an image in an array: `digits.npy[3]`.
    public let name: String
    /// Pixels in a row, as it is seen.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Values of a pixel, alpha included.
    public let channels: Int
    /// What was done to it, all in all.
    public let steps: [PixelStepDocument]
    /// The same for people.
    public let text: String
    /// The largest values of the model's first output, the largest first; none if that is no vector.
    public let top: [Class]

    /// A class, and the value of the output for it.
    public struct Class: Sendable, Encodable {
      /// The number, from 0 on.
      public let index: Int
      /// What it is called; `nil` if nobody has said so.
      public let label: String?
      /// What the output has for it; `null` if that is not finite.
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
