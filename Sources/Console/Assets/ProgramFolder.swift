import Foundation

/// What the build puts beside the program.
enum ProgramFolder {
    static var page: URL { folder("Page") }
    static var documents: URL { folder("Documents") }

    /// Tests run inside another program, which has no folder beside it; `Bundle.module` knows where the build put it, but
    /// ends the program where that is gone.
    private static func folder(_ name: String) -> URL {
        let beside = Bundle.main.bundleURL.appending(path: "Headroom_Console.resources/\(name)")
        #if DEBUG
            if !FileManager.default.fileExists(atPath: beside.path()) {
                return Bundle.module.bundleURL.appending(path: name)
            }
        #endif
        return beside
    }
}
