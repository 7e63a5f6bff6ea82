/// A fix that was accepted, and of which vehicle; what a track is made of.
public struct TrackPoint: Hashable, Sendable {
    public var vehicle: VehicleID
    public var fix: Fix

    public init(vehicle: VehicleID, fix: Fix) {
        self.vehicle = vehicle
        self.fix = fix
    }
}
