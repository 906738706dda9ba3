internal import CEmitted
import ModelIR

/// The source files of a package that accepts pictures, in every language: filters and preparation.
enum PictureSource {
  /// The runtime files of such packages, by the suffixes of their names.
  private static let files: [(suffix: String, source: RuntimeSource)] =
    [MetalFile.colors, .context, .form, .pass, .step, .taps].map { file in
      (String(file.rawValue.dropLast(".swift".count)), file.source)
    } + [
      ("Bitmaps", RuntimeSource(netconv_package_bitmaps())),
      ("Pictures", RuntimeSource(netconv_package_pictures())),
      ("Runner", RuntimeSource(netconv_package_runner())),
    ]

  /// The suffixes of all file names, including generated files.
  static let suffixes = files.map(\.suffix) + ["Preparation", "Shaders"]

  /// Names in these files that a package's name must not shadow.
  static let types = MetalFile.types

  /// The files with the suffixes of their names.
  static func texts(
    _ input: PictureInput, in language: PackageLanguage, _ name: PackageName,
    with pieces: RuntimePieces
  ) -> [(suffix: String, text: String)] {
    let values = RuntimeValues(name, language)
    return files.map { ($0.suffix, $0.source.text(with: pieces, values)) } + [
      (
        "Preparation",
        preparation(input, name, saysPlanes: language.takesPlanarPictures) + "\n"
      ),
      ("Shaders", shaders(MetalFile.filters.source.text(with: pieces, values), name) + "\n"),
    ]
  }

  private static func preparation(
    _ input: PictureInput, _ name: PackageName, saysPlanes: Bool
  ) -> String {
    """
    /// The preprocessing of pictures, equal to that of `netconv run`.
    ///
    /// First they are fitted to \(input.words), as far as it is needed: alpha is given up\
    \(input.channels == 1 ? ", colours become gray" : ""), and
    /// the picture fills the size, with what is beyond cut off. Then the steps are done.
    public enum \(name)Preparation {
      /// The steps applied to values from 0 to 255: \(escaped(input.remark)).
      public static let steps: [\(name)Step] = [\(list(input.steps))]
      /// Pixels of the input.
      static let (width, height) = (\(input.width), \(input.height))
      /// Values of a pixel.
      static let channels = \(input.channels)\(saysPlanes ? planes(input) : "")
    }
    """
  }

  private static func planes(_ input: PictureInput) -> String {
    """

      /// True if values are stored channel by channel, false if pixel by pixel.
      static let isPlanar = \(input.isPlanar)
    """
  }

  /// The steps as elements of an array, each on its own line.
  private static func list(_ steps: [PixelStep]) -> String {
    steps.isEmpty ? "" : "\n" + steps.map { "    \($0.swiftText),\n" }.joined() + "  "
  }

  private static func shaders(_ text: String, _ name: PackageName) -> String {
    """
    /// The kernels that take pictures into the network. A device compiles their text.
    enum \(name)Shaders {
      static let text = #\"""
    \(text)\"""#
    }
    """
  }
}
