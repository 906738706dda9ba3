import NetconvKit
import TestSupport
import Testing

/// Names of classes in text, whose lines may begin with the classes' numbers.
@Suite struct ClassLabelsTests {
  @Test(arguments: [
    ("red\ngreen\n", ["red", "green"]),
    // As Teachable Machine writes them, and in another order.
    ("0 red\n1 green\n", ["red", "green"]),
    ("2 blue sky\n0\tred\n1 green\n", ["red", "green", "blue sky"]),
    // Numbers that are a part of the names.
    ("7 up\n3 series\n", ["7 up", "3 series"]),
    ("1 one\n2 two\n", ["1 one", "2 two"]),
    ("0 red\n0 green\n", ["0 red", "0 green"]),
    ("0\n1\n", ["0", "1"]),
    ("0red\n1green\n", ["0red", "1green"]),
  ])
  func `numbers of all classes give the order, and others are names`(
    text: String, names: [String]
  ) throws {
    let folder = try TemporaryFolder()
    #expect(try ClassLabels(path: folder.write(text, to: "labels.txt")).names == names)
  }
}
