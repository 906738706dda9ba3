/// CryptoKit as the open-source library of the same interface: `SHA256` and its relatives.
///
/// https://developer.apple.com/documentation/cryptokit
@_exported import Crypto
