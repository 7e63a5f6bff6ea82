import Fleet
import HeapModule
package import Messages

/// Many vehicles under way at once, each on a drive of its own: what they report, in the order of time.
///
/// A report costs the logarithm of the number of vehicles.
package struct Traffic: Sendable {
    /// A fix, and which vehicle takes it.
    package struct Report: Hashable, Sendable {
        package var vehicle: Int
        package var fix: Fix
    }

    /// When a vehicle reports next.
    private struct Due: Comparable {
        var time: Timestamp
        var vehicle: Int

        static func < (a: Due, b: Due) -> Bool { (a.time, a.vehicle) < (b.time, b.vehicle) }
    }

    private struct Driver {
        var drive: Drive
        var next: Fix
    }

    /// By vehicle; nil: it does not drive.
    private var drivers: [Driver?]
    private var queue = Heap<Due>()

    /// Nobody drives yet. Vehicles are numbered from 0.
    package init(vehicleCount: Int) { drivers = Array(repeating: nil, count: vehicleCount) }

    /// How many vehicles have something left to report.
    package var underWay: Int { queue.count }

    /// The earliest report that is left; of those of one time the lower vehicle's.
    package var next: Report? {
        guard let due = queue.min, let driver = drivers[due.vehicle] else { return nil }
        return Report(vehicle: due.vehicle, fix: driver.next)
    }

    /// A vehicle sets off.
    ///
    /// - Precondition: it is not under way.
    package mutating func setOff(_ vehicle: Int, on drive: Drive) {
        precondition(drivers[vehicle] == nil, "a vehicle drives one way at a time")
        var drive = drive
        guard let first = drive.next() else { return }
        drivers[vehicle] = Driver(drive: drive, next: first)
        queue.insert(Due(time: first.time, vehicle: vehicle))
    }

    /// Passes over the earliest report.
    ///
    /// - Returns: the drive that has ended with it; nil where there is more of it to come, or nothing was left.
    @discardableResult
    package mutating func advance() -> Drive? {
        guard let due = queue.popMin() else { return nil }
        if let fix = drivers[due.vehicle]?.drive.next() {
            drivers[due.vehicle]?.next = fix
            queue.insert(Due(time: fix.time, vehicle: due.vehicle))
            return nil
        }
        defer { drivers[due.vehicle] = nil }
        return drivers[due.vehicle]?.drive
    }

    /// How many reports of vehicles under way are due by a moment.
    package func count(dueBy time: Timestamp) -> Int {
        drivers.lazy.compactMap(\.self).reduce(0) { count, driver in
            var (drive, next) = (driver.drive, Optional(driver.next))
            var due = 0
            while let fix = next, fix.time <= time { (due, next) = (due + 1, drive.next()) }
            return count + due
        }
    }
}
