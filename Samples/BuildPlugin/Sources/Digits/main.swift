import Foundation
import NetconvKit

// The checkpoint beside this file is in the bundle as an archive; the program never sees the checkpoint itself.
guard let network = Bundle.module.path(forResource: "lenet", ofType: "netpack") else {
  fatalError("the build has put no lenet.netpack into the bundle")
}
var request = VerifyRequest(path: network)
request.limit = 2000
let report = try Netconv.verify(request)
if let result = report.classification {
  print("accuracy \(result.accuracy) on \(result.count) images of the MNIST test set")
}
