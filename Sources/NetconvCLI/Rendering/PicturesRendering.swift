import ModelIR
import NetconvKit

/// How a run on pictures is shown: what was done to them, and their classes.
enum PicturesRendering {
  static func print(_ pictures: [RunReport.Picture], of report: RunReport) {
    printSteps(pictures, report.inputs.first?.pixels?.explanation)
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

  /// What was done, in a line for all pictures, or one for each kind of them.
  private static func printSteps(_ pictures: [RunReport.Picture], _ explanation: Message?) {
    var texts: [String] = []
    var names: [String: [String]] = [:]
    for picture in pictures {
      if names[picture.text] == nil { texts.append(picture.text) }
      names[picture.text, default: []].append(picture.name)
    }
    for text in texts {
      let count = names[text]?.count ?? 0
      let which =
        texts.count == 1
        ? "" : count == 1 ? escaped(names[text]?.first ?? "") + ": " : "\(count) pictures: "
      Output.print("pixels     \(which)\(text)" + (explanation.map { " (\($0.options))" } ?? ""))
    }
  }
}
