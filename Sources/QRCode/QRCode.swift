import CQREncode

/// A QR code (ISO/IEC 18004) of a text, such as an address that a phone is to open.
package struct QRCode: Hashable, Sendable {
    /// Empty modules around the code, which readers need.
    static let quietZone = 4

    /// Modules of one side.
    package let width: Int
    private let isDark: [Bool]

    /// - Returns: nil where the text is too long for a code, which holds 2,331 bytes at this level of error correction (M, 15 %).
    package init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        width = Int(code.pointee.width)
        // The lowest bit of each byte is the module.
        isDark = (0..<width * width).map { code.pointee.data[$0] & 1 == 1 }
    }

    /// Light where it is outside of the code.
    package func isDark(row: Int, column: Int) -> Bool {
        (0..<width).contains(row) && (0..<width).contains(column) && isDark[row * width + column]
    }

    /// For a terminal: two rows in one line, light modules as blocks, so that it can be read from a dark screen.
    package var terminalText: String {
        let range = -Self.quietZone..<width + Self.quietZone
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            String(
                range.map { column -> Character in
                    switch (isDark(row: row, column: column), isDark(row: row + 1, column: column)) {
                    case (false, false): "█"
                    case (false, true): "▀"
                    case (true, false): "▄"
                    case (true, true): " "
                    }
                })
        }.joined(separator: "\n")
    }

    /// A picture, dark on light, a unit for each module.
    package var svg: String {
        let side = width + 2 * Self.quietZone
        var path = ""
        for row in 0..<width {
            for column in 0..<width where isDark(row: row, column: column) {
                path += "M\(column + Self.quietZone) \(row + Self.quietZone)h1v1h-1z"
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(side)v\(side)H0z"/><path d="\(path)"/></svg>
            """
    }
}
