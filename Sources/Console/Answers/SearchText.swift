import Foundation

/// What people type to find something: neither case nor accents matter, nor where in the text it stands.
struct SearchText {
    private let text: String?

    /// - Parameter text: nil finds everything.
    init(_ text: String?) { self.text = text?.folded }

    /// - Parameter texts: put together only where something is sought.
    func match(_ texts: () -> [String?]) -> Bool {
        guard let text else { return true }
        return texts().contains { $0?.folded.contains(text) ?? false }
    }
}

extension String {
    /// `Weiße Allee`, `WEISSE ALLÉE` and `weisse allee` are one.
    var folded: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
        // In capitals ß is SS.
        return uppercased().folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
