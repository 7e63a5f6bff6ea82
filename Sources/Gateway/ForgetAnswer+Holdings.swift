import Fleet
import Messages
public import Store
public import Wire

extension ForgetAnswer {
    init(_ forgetting: Forgetting, _ holdings: Holdings) {
        let isUnknown = !forgetting.wasKnown && holdings.isNothing
        self.init(
            vehicle: forgetting.request.vehicle.text, request: forgetting.request.id,
            isUnknown ? .unknown : .forgotten(Removed(holdings)))
    }
}

extension ForgetAnswer.Removed {
    public init(_ holdings: Holdings) {
        self.init(
            state: holdings.state != nil, history: holdings.history, positions: holdings.positions,
            unsent: holdings.unsent.values.reduce(0, +), inputs: holdings.inputs.count)
    }
}
