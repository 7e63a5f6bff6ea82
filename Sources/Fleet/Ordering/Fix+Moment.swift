import Geo
import Messages

/// Reports of one moment. OwnTracks on iOS sends a `transition` for the region and a `location` for the position, with one
/// time for both.
extension Fix {
    /// What the device says of its own region.
    struct Crossing: Equatable {
        var trigger: Trigger
        /// Nil: it does not say which.
        var region: RegionKey?
    }

    var crossing: Crossing? {
        trigger == .interval ? nil : Crossing(trigger: trigger, region: region)
    }

    /// The same in the next millisecond, where another report has the moment itself.
    var aMomentLater: Fix {
        var fix = self
        fix.time = Timestamp(milliseconds: time.milliseconds + 1)
        return fix
    }

    /// The more accurate position, with the crossing that either of them tells of; nil where the other one tells nothing new.
    ///
    /// Where both positions are equally accurate, the one counts that no region woke the device for. Of two that tell of no crossing
    /// the same one counts, whichever came first.
    func joined(with other: Fix) -> Fix? {
        guard (crossing == nil) != (other.crossing == nil) else {
            return crossing == nil && other.isBetter(than: self) ? other : nil
        }
        let woken = crossing == nil ? other : self
        var both = other.precedes(self) ? other : self
        let rest = both == self ? other : self
        (both.trigger, both.region) = (woken.trigger, woken.region)
        both.speed = both.speed ?? rest.speed
        both.course = both.course ?? rest.course
        both.altitude = both.altitude ?? rest.altitude
        return both == self ? nil : both
    }

    private func isBetter(than other: Fix) -> Bool {
        let (here, there) = (position, other.position)
        return (accuracyOrAssumed, here.latitude, here.longitude)
            < (other.accuracyOrAssumed, there.latitude, there.longitude)
    }

    private func precedes(_ other: Fix) -> Bool {
        let (mine, others) = (accuracyOrAssumed, other.accuracyOrAssumed)
        return mine == others ? trigger == .interval : mine < others
    }
}
