import Foundation

/// What people type to find something: case does not matter, nor where in the text it stands.
struct SearchText {
    private let text: String?

    /// - Parameter text: nil finds everything.
    init(_ text: String?) { self.text = text?.lowercased() }

    /// - Parameter texts: put together only where something is sought.
    func match(_ texts: () -> [String?]) -> Bool {
        guard let text else { return true }
        return texts().contains { $0?.lowercased().contains(text) ?? false }
    }
}
