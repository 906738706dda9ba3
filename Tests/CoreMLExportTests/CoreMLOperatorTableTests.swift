import Testing
@testable import CoreMLExport
@Suite struct CoreMLOperatorTableTests { @Test func a() {} }
