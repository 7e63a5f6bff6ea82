import Messages

/// What is no longer as it was for a vehicle, once an input has been applied to it.
enum Change {
    /// A fix newer than all before it has been taken; a late one arrived too late to say where the vehicle is now.
    case fix(after: Fix?, isLate: Bool)
    /// All fixes of one message have been handled; `used` is when the last of them that was not rejected was taken.
    case upload(used: Timestamp?)
    /// Height, units or groups.
    case profile
    /// Another route, or none.
    case route
    case consent
    case presence
    case acknowledgement
    /// A profile that cannot be read has been answered, and does not count.
    case refusal
    /// A clearance near the vehicle, or one that an alert or its quiet circle may depend on.
    case clearance
    /// A fence that the vehicle has to do with, or one that its quiet circle keeps away from.
    case fence
    /// A fence or clearance that may be among the vehicle's nearest regions.
    case regionCandidates
    /// The road file, and files beside it.
    case map
    /// Hazards that were awaited are there; with why an alert ends that is about none of them.
    case hazards(AlertMessage.ClearedReason)
    /// The position has gone stale, the profile has run out, or a height is to be asked for.
    ///
    /// - foundAt: when a tick has found that; the deadline itself may lie far back.
    case deadline(foundAt: Timestamp)
    /// Fixes that waited for earlier ones wait no longer, or a dwell, a visit or the hours of a fence fall due.
    case timelineDeadline
}

extension Change {
    /// What there is to do, in this order; each step builds on those before it.
    struct Steps: OptionSet {
        /// Finds the vehicle on the road: with each fix, and where fixes were passed over in a quiet circle that does not
        /// hold any more.
        static let locate = Steps(rawValue: 1 << 0)
        /// Follows the vehicle along its route, by the road that it is on, and answers a route that has not been answered.
        static let guide = Steps(rawValue: 1 << 1)
        /// Moves its alerts, by the road that it is on and the route ahead.
        static let judge = Steps(rawValue: 1 << 2)
        /// Notes what a fix by which no alert is moved says of them: what it has driven past, what it is told of again.
        static let noteLateFix = Steps(rawValue: 1 << 3)
        /// Asks for a height that is missing.
        static let request = Steps(rawValue: 1 << 4)
        /// Follows it past fences and through visits, in the order of its own time.
        static let follow = Steps(rawValue: 1 << 5)
        /// Looks for a quiet circle, or whether there may still be one: not where an alert is open, a border is in doubt or
        /// a route is known.
        static let quiet = Steps(rawValue: 1 << 6)
        /// Chooses its nearest regions, of which the quiet circle is one.
        static let regions = Steps(rawValue: 1 << 7)
        /// Publishes the state that all this has led to, and has the vehicle stored and its next deadline set.
        static let publish = Steps(rawValue: 1 << 8)
        /// The same only where a step before it has sent something: what concerns all vehicles is not stored for all.
        static let publishIfTold = Steps(rawValue: 1 << 9)

        let rawValue: Int
    }

    /// Which steps react to which change.
    var steps: Steps {
        switch self {
        // Every fix of an upload may begin an alert. What looks at the end of the way, not at each fix of it, follows once,
        // with the upload.
        case .fix(_, isLate: false): [.locate, .guide, .judge, .request]
        // No alert begins or moves by where the vehicle was a while ago; but it may be the only one to show that the vehicle
        // went under what it was told of.
        case .fix(_, isLate: true): [.locate, .guide, .noteLateFix, .request]
        case .upload: [.follow, .quiet, .regions, .publish]
        // The fastest way is the same at any height, and a route is answered once. At which fences of its new groups the
        // vehicle is, its next fix tells; whether a height is missing is asked then, or at the deadline.
        case .profile: [.locate, .judge, .quiet, .regions, .publish]
        // Fences do not depend on a route.
        case .route: [.locate, .guide, .judge, .quiet, .regions, .publish]
        // Where the vehicle is now, and so what holds there, is unknown before a fix. Regions are chosen only while
        // positions may be used, and so may have been left as they were.
        case .consent: [.regions, .publish]
        // They are part of the state, or answered, and decide nothing.
        case .presence, .acknowledgement, .refusal: [.publish]
        // Regions follow with `regionCandidates`, for vehicles that are far away too.
        case .clearance: [.locate, .judge, .quiet, .publish]
        // Alerts do not depend on fences. Of a new fence the vehicle is told at its next fix; regions follow with
        // `regionCandidates`.
        case .fence: [.quiet, .publish]
        case .regionCandidates: [.regions, .publishIfTold]
        // A fence that is no more has been left by then; the others are the same on any map.
        case .map: [.locate, .guide, .judge, .quiet, .regions, .publish]
        // What a fix, a profile or a route led to is done for good; the height was asked for then.
        case .hazards: [.locate, .guide, .judge, .quiet, .regions, .publish]
        // A profile that has run out is another height. The vehicle is where it was, and so on its route.
        case .deadline: [.locate, .judge, .request, .follow, .quiet, .regions, .publish]
        // An alert does not change by time alone, but where that is a `deadline`; a circle keeps away from all borders.
        case .timelineDeadline: [.follow, .publish]
        }
    }

    /// Why an alert ends whose hazard is none any more.
    var clearedReason: AlertMessage.ClearedReason {
        switch self {
        case .clearance: .clearanceChanged
        case .map: .mapChanged
        // At a deadline it is the profile's end that makes the height another.
        case .hazards(let reason): reason
        case .profile, .deadline: .profileChanged
        default: .leftPath
        }
    }
}
