/// Units by name. Values that cross a module's border carry one of these, so that a signature says its unit.

/// Length or distance in metres.
public typealias Metres = Double
/// Duration in seconds.
public typealias Seconds = Double
/// Speed in metres per second.
public typealias MetresPerSecond = Double
/// Angle in degrees; a course or bearing is clockwise from true north, in `0 ..< 360`.
public typealias Degrees = Double
/// Height in whole centimetres: what clearances and vehicles are compared in, so that 4.35 m stays 4.35 m.
public typealias Centimetres = Int

/// Exact definitions of the units people write (international foot, 1959).
public enum Unit {
    public static let mile: Metres = 1609.344
    public static let foot: Metres = 0.3048
    public static let inch: Metres = 0.0254
}
