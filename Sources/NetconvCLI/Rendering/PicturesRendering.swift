import ModelIR
import NetconvKit

/// Prints the results of a run on pictures: their preprocessing and their classes.
enum PicturesRendering {
  static func print(_ pictures: [RunReport.Picture], of report: RunReport) {
    if let pixels = report.inputs.first?.pixels {
      print(groups(of: pictures), "pictures", pixels.explanation)
    }
    guard pictures.contains(where: { !$0.top.isEmpty }) else { return }
    let hasLabels = pictures.contains { $0.top.contains { $0.label != nil } }
    var table = TextTable(
      [("picture", .name), ("size", .right), ("class", .right)]
        + (hasLabels ? [("name", .name)] : []) + [("output", .right)])
    for picture in pictures {
      for (rank, one) in picture.top.enumerated() {
        table.append(
          (rank == 0 ? [picture.name, "\(picture.width) x \(picture.height)"] : ["", ""])
            + ["\(one.index)"] + (hasLabels ? [one.label ?? ""] : []) + [significant(one.value)])
      }
    }
    Output.print(table)
  }

  /// Prints the preprocessing of pictures: one line for all, or one for each kind.
  ///
  /// - Parameter noun: The plural noun after their number.
  static func print(
    _ groups: [(text: String, count: Int, first: String)], _ noun: String, _ explanation: Message
  ) {
    for group in groups {
      let several = "\(grouped(group.count)) \(noun): "
      let which =
        groups.count == 1 ? "" : group.count == 1 ? escaped(group.first) + ": " : several
      Output.print("pixels     \(which)\(group.text) (\(explanation.options))")
    }
  }

  /// The pictures grouped by preprocessing, in the order of first occurrence.
  private static func groups(
    of pictures: [RunReport.Picture]
  ) -> [(text: String, count: Int, first: String)] {
    var groups: [(text: String, count: Int, first: String)] = []
    for picture in pictures {
      if let place = groups.firstIndex(where: { $0.text == picture.text }) {
        groups[place].count += 1
      } else {
        groups.append((picture.text, 1, picture.name))
      }
    }
    return groups
  }
}
