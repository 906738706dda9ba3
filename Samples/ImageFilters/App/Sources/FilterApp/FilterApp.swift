import SwiftUI

/// A picture with a slider for its colours and one for its blur.
@main
struct FilterApp: App {
  var body: some Scene {
    WindowGroup("Filters") { FilterScreen() }
  }
}
