import ModelIR

/// Runs `body` and adds the location to its errors.
///
/// - Throws: The error of `body`, with the dataset at the path `tensor` and with `file`.
func placing<Result: ~Copyable>(
  tensor: String? = nil, file: String? = nil, _ body: () throws(NetconvError) -> Result
) throws(NetconvError) -> Result {
  do {
    return try body()
  } catch {
    var error = error
    if let tensor { error = error.inTensor(tensor) }
    if let file { error = error.inFile(file) }
    throw error
  }
}
