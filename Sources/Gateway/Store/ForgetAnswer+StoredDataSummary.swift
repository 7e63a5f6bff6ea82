import Fleet
import Messages
package import Store
package import Wire

extension ForgetAnswer {
    init(_ forgetting: VehicleErasure, _ storedData: StoredDataSummary) {
        let isUnknown = !forgetting.wasKnown && storedData.isNothing
        self.init(
            vehicle: forgetting.request.vehicle.text, request: forgetting.request.id,
            isUnknown ? .unknown : .forgotten(Removed(storedData)))
    }
}

extension ForgetAnswer.Removed {
    package init(_ storedData: StoredDataSummary) {
        self.init(
            state: storedData.state != nil, history: storedData.history, positions: storedData.positions,
            unsent: storedData.unsent.values.reduce(storedData.webhooks, +), inputs: storedData.inputs.count,
            untaken: storedData.untaken, phones: storedData.phones)
    }
}
