/// Which edge may legally follow which.
///
/// A restriction over several edges makes "what may follow" depend on where one comes from. Such edges get shadows:
/// copies that are entered only from the restriction's first edge, so that every search may go on working edge by edge.
struct TurnTable {
    /// Edges driven in this order: the last is banned (`ban`), or each is the only one allowed (`only`).
    struct Rule {
        var kind: TurnRestriction.Kind
        var path: [UInt32]
    }

    /// How far along a rule's path one has come on reaching an edge.
    private struct Progress: Hashable, Comparable {
        var rule: Int
        var step: Int

        static func < (a: Progress, b: Progress) -> Bool { (a.rule, a.step) < (b.rule, b.step) }
    }

    private struct State: Hashable {
        var edge: UInt32
        var progress: [Progress]
    }

    private let assembly: EdgeAssembly
    private let rules: [Rule]
    private let starting: [UInt32: [Progress]]

    /// Successors of each edge: first those of the edges on the map, then those of the shadows.
    private(set) var successors: [[UInt32]] = []
    /// The edge on the map that each shadow stands for.
    private(set) var shadows: [UInt32] = []
    private var shadowIDs: [State: UInt32] = [:]
    private var pending: [State] = []

    init(_ assembly: EdgeAssembly, rules: [Rule]) {
        self.assembly = assembly
        self.rules = rules
        var starting: [UInt32: [Progress]] = [:]
        for (index, rule) in rules.enumerated() {
            starting[rule.path[0], default: []].append(Progress(rule: index, step: 0))
        }
        self.starting = starting
        successors.reserveCapacity(assembly.edges.count)
        for edge in assembly.edges.indices {
            successors.append(follow(State(edge: UInt32(edge), progress: starting[UInt32(edge)] ?? [])))
        }
        var next = 0
        while next < pending.count {
            successors.append(follow(pending[next]))
            next += 1
        }
    }

    private mutating func follow(_ state: State) -> [UInt32] {
        let junction = assembly.edges[Int(state.edge)].to
        let candidates = assembly.leaving[Int(junction)].filter { !assembly.isUTurn(from: state.edge, onto: $0) }
        if state.progress.isEmpty { return candidates }
        return candidates.filter { allows(state.progress, $0) }.map { id(of: $0, after: state.progress) }
    }

    private func allows(_ progress: [Progress], _ next: UInt32) -> Bool {
        let orders = progress.filter { rules[$0.rule].kind == .only }
        // An order onto a road that runs on through the node names both its directions: either will do.
        guard orders.isEmpty || orders.contains(where: { named(by: $0) == next }) else { return false }
        return progress.allSatisfy { progress in
            let rule = rules[progress.rule]
            return rule.kind == .only || named(by: progress) != next || progress.step + 2 < rule.path.count
        }
    }

    private func named(by progress: Progress) -> UInt32 { rules[progress.rule].path[progress.step + 1] }

    /// `next` itself, or its shadow where a rule is still under way.
    private mutating func id(of next: UInt32, after progress: [Progress]) -> UInt32 {
        let ongoing = progress.filter { progress in
            let path = rules[progress.rule].path
            return path[progress.step + 1] == next && progress.step + 2 < path.count
        }
        guard !ongoing.isEmpty else { return next }
        let advanced = ongoing.map { Progress(rule: $0.rule, step: $0.step + 1) } + (starting[next] ?? [])
        let state = State(edge: next, progress: advanced.sorted())
        if let known = shadowIDs[state] { return known }
        let id = UInt32(assembly.edges.count + shadows.count)
        shadowIDs[state] = id
        shadows.append(next)
        pending.append(state)
        return id
    }
}
