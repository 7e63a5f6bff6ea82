import Dispatch
import Evaluation
import Fleet
import Geo
import Hashing
import Messages
import Roads
import Synchronization

/// Draws the trips that trucks go on with, beside the thread that publishes: a search over the road network takes longer
/// than other trucks' fixes may wait.
final class TripPlanner: Sendable {
    /// A truck that has arrived.
    struct Arrival {
        var truck: Int
        /// How many trips it has made.
        var trips: Int
        var edge: EdgeID
        /// When it is to report next.
        var next: Timestamp
    }

    private struct State {
        var pending = 0
        var found: [(arrival: Arrival, trip: Trip)] = []
    }

    /// A truck makes fewer trips than this, so that no two draw from one sequence of numbers.
    private static let tripsMax = 1 << 20

    private let fleet: SimulatedFleet
    private let queue = DispatchQueue(label: "trips")
    private let draw: Mutex<TripSampler>
    private let state = Mutex(State())

    init(_ fleet: SimulatedFleet) {
        self.fleet = fleet
        draw = Mutex(TripSampler(fleet.network, seed: fleet.seed))
    }

    /// Trucks that wait for a trip.
    var pending: Int { state.withLock(\.pending) }

    /// The trip will be among those that `take` returns.
    func plan(_ arrival: Arrival) {
        state.withLock { $0.pending += 1 }
        queue.async { [self] in
            let trip = draw.withLock { draw in
                draw.restart(SplitMix64(seed: fleet.seed, stream: -(arrival.truck * Self.tripsMax + arrival.trips)))
                return try? fleet.trip(after: arrival.edge, &draw)
            }
            state.withLock { state in
                state.pending -= 1
                if let trip { state.found.append((arrival, trip)) }
            }
        }
    }

    func take() -> [(arrival: Arrival, trip: Trip)] {
        state.withLock { state in
            defer { state.found = [] }
            return state.found
        }
    }
}
