import Clearances
import Geo
import Roads
import RoadsTestSupport
import Testing

/// A drawing, and clearances that are set and removed on its finished network by lines like the drawing's own.
struct LiveDrawing {
    private let base: SnappingDrawing
    private(set) var live: LiveClearances

    init(_ drawing: String, snapDistance: Metres = 40) throws {
        base = try SnappingDrawing(drawing, snapDistance: snapDistance)
        live = LiveClearances(base.network, snapDistance: snapDistance)
    }

    /// - Parameter line: as `@p 100 5 3.2 road=Mill+Lane`.
    @discardableResult
    mutating func set(_ line: String, from origin: LiveClearances.Origin = .topic) throws -> LiveClearances.Outcome {
        live.set(try PointClearance(drawn: line), from: origin)
    }

    @discardableResult
    mutating func remove(_ id: String, from origin: LiveClearances.Origin = .topic) -> Bool {
        live.remove(id, from: origin)
    }

    mutating func replaceFiles(_ lines: String...) throws -> [LiveClearances.Outcome] {
        live.replaceAll(from: .file, with: try lines.map { try PointClearance(drawn: $0) })
    }

    /// The road file's network, nothing laid over it.
    var mapped: SnappingDrawing { base }

    var drawn: SnappingDrawing {
        mutating get { base.showing(live.network) }
    }

    /// See `SnappingDrawing.limits`.
    var limits: [String] {
        mutating get { drawn.limits }
    }

    mutating func clearance(_ id: String) throws -> Clearance {
        let drawn = drawn
        return drawn.network.clearance(try drawn.clearance(id))
    }

    mutating func status(_ id: String) throws -> ClearanceStatus { try drawn.status(id) }
}
