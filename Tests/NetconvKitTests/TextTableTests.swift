import NetconvKit
import Testing

@Suite("Tables")
struct TextTableTests {
  private func table(_ names: (String, String)...) -> TextTable {
    var table = TextTable([("name", .name), ("reads", .name), ("shape", .left), ("size", .right)])
    for (name, reads) in names { table.append(name, reads, "(5, 5, 1, 32)", "3.2 kB") }
    return table
  }

  @Test("are as wide as their cells, and nothing is cut, unless there is a limit")
  func free() {
    let long = String(repeating: "x", count: 200)
    #expect(
      table(("a", "b")).lines() == [
        "name  reads  shape            size",
        "----------------------------------",
        "a     b      (5, 5, 1, 32)  3.2 kB",
      ])
    // What no person writes stands out of its column, whose width the others give.
    #expect(
      table((long, "b"), ("c", "d")).lines().dropFirst(2) == [
        "\(long)  b      (5, 5, 1, 32)  3.2 kB",
        "c     d      (5, 5, 1, 32)  3.2 kB",
      ])
  }

  @Test("show hidden characters, and are as wide as these are then")
  func hidden() {
    #expect(
      table(("a\u{202e}b", "\u{1b}[31m"), ("conv\u{200b}", "größe")).lines() == [
        "name          reads       shape            size",
        "-----------------------------------------------",
        #"a\u{202e}b    \u{1b}[31m  (5, 5, 1, 32)  3.2 kB"#,
        #"conv\u{200b}  größe       (5, 5, 1, 32)  3.2 kB"#,
      ])
  }

  @Test("names give way to a limit, the longest first, and keep their beginning and end")
  func limit() {
    let table = table(("mobilenet_block_3_expansion_conv", "mobilenet_block_2_add"))
    #expect(
      table.lines(within: 64) == [
        "name                reads                  shape            size",
        "----------------------------------------------------------------",
        "mobilenet…ion_conv  mobilenet_block_2_add  (5, 5, 1, 32)  3.2 kB",
      ])
    // Numbers are never cut, and names not to nothing: a line of 10 has no place for them.
    #expect(
      table.lines(within: 10) == [
        "name          reads         shape            size",
        "-------------------------------------------------",
        "mobile…_conv  mobile…2_add  (5, 5, 1, 32)  3.2 kB",
      ])
    #expect(table.lines(within: 78) == table.lines())
    #expect(table.lines(within: 77) != table.lines())
  }

  @Test("names are cut only as far as unlike ones stay unlike")
  func unlike() {
    var table = TextTable([("name", .name), ("size", .right)])
    let names = ["mobilenet_block_1_Conv1", "mobilenet_block_2_Conv1", "mobilenet_block_2_Conv2"]
    for name in names { table.append(name, "1") }
    // The end has to keep the number of the block, seven characters, and half of the rest is the beginning.
    let lines = table.lines(within: 14)
    #expect(
      lines == [
        "name             size",
        "---------------------",
        "mobilen…1_Conv1     1",
        "mobilen…2_Conv1     1",
        "mobilen…2_Conv2     1",
      ])
    #expect(table.lines(within: nil).dropFirst(2).map { String($0.prefix(23)) } == names)
  }
}
