import Documents
import ModelIR

/// Decodes a document, and checks that it is unchanged after encoding and decoding.
@discardableResult
func rewritten<Document: Codable>(
  _ type: Document.Type, _ bytes: [UInt8]
) throws -> Document {
  let document = try JSONDocument.decode(type, from: bytes)
  let written = try mustWork("writing the document") { () throws(NetconvError) in
    try JSONDocument.encode(document)
  }
  let again = try mustWork("reading what was written") { () throws(NetconvError) in
    try JSONDocument.encode(JSONDocument.decode(type, from: written))
  }
  try hold(written == again, "what is written is read as another document")
  return document
}
