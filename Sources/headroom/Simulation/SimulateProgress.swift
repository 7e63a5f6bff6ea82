import Fleet
import Foundation
import Geo
import Messages

/// How far the trucks are: a line on a terminal that is written anew, elsewhere a line now and then.
struct SimulateProgress {
    private static let width = 24
    /// Often enough to see a run at work in a log, and few lines in an hour.
    private static let every: Seconds = 10
    /// A terminal need not be written more often.
    private static let redraw: Seconds = 0.2

    private var shownAt: Seconds = 0
    private var isLineOpen = false

    /// - Parameters:
    ///   - elapsed: since the trucks set off.
    ///   - whole: how long it will take; nil: until it is stopped.
    mutating func update(after elapsed: Seconds, of whole: Seconds?, fixes: Int, driving: Int, of trucks: Int) {
        guard elapsed - shownAt >= (Terminal.showsProgress ? Self.redraw : Self.every) else { return }
        shownAt = elapsed
        let rate = decimal(Double(fixes) / elapsed)
        let text = "\(driving) of \(trucks) trucks under way, \(fixes) fixes sent, \(rate) a second"
        if Terminal.showsProgress {
            isLineOpen = true
            let bar = whole.map { Terminal.bar(elapsed / $0, width: Self.width) + " " } ?? ""
            Terminal.progress("\r\(bar)\(text) ")
        } else {
            Terminal.error("simulate: after \(Int(elapsed)) s: \(text)")
        }
    }

    /// Something else is to be written.
    mutating func interrupt() {
        if isLineOpen { Terminal.progress("\n") }
        isLineOpen = false
    }

    mutating func finish() { interrupt() }
}
