import Fleet
import Gateway
package import Hummingbird
import Logging
import Messages
import NIOCore
import Store

/// What goes with a request through the house.
package struct ConsoleContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Of the phone that asks; nil: another client.
    var cab: CabToken?
    /// Of the client, or of the proxy in front; nil where the request came by no socket.
    let remoteAddress: SocketAddress?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
    }

    package var maxUploadSize: Int { ConsoleLimits.body }
}

/// All routes, and the role that each requires: a folder for each resource adds its routes, and this file alone decides
/// which role may use them.
struct ConsoleRouter {
    let settings: ConsoleSettings
    /// Nil: authentication is not in force.
    let tokens: TokenList?
    let configuration: GatewayConfiguration
    let shared: SharedState
    let descriptions: DescriptionRoutes
    let logger: Logger
    let metrics = ConsoleMetrics()
    private let mapCache = MapCache()
    private let workers = WorkerThreads()

    func build() -> Router<ConsoleContext> {
        let methods = AllowedMethods()
        let router = bareRouter(methods)
        let library = MapLibrary(folder: settings.map.library)
        PageRoutes(settings: settings, library: library).add(to: router)
        addHealth(to: router)
        addViews(to: requiring(role: .viewer, on: router.group("api/v1")), library)
        let vehicleTopics = VehicleTopics(view: shared.view, pattern: configuration.pattern)
        let dispatch = DispatchRoutes(
            view: shared.view, mapCache: mapCache, publisher: shared.publisher, topics: configuration.topics,
            vehicleTopics: vehicleTopics)
        dispatch.add(to: requiring(role: .editor, on: router.group("api/v1")))
        let handling = HandlingRoutes(view: shared.view, queue: shared.handling)
        handling.addReading(to: requiring(role: .viewer, on: router.group("api/v1")))
        handling.addChanges(to: requiring(role: .editor, on: router.group("api/v1")))
        addCab(to: router, vehicleTopics)
        descriptions.add(to: requiring(role: .viewer, on: router.group("api/v1")))
        methods.note(router.routes)
        return router
    }

    private func addCab(to router: Router<ConsoleContext>, _ topics: VehicleTopics) {
        let pairing = CabPairingRoutes(access: shared.cabs)
        pairing.addPairing(to: router.group("api/v1"))
        pairing.addReading(to: requiring(role: .viewer, on: router.group("api/v1")))
        pairing.addChanges(to: requiring(role: .editor, on: router.group("api/v1")))
        let cab = CabRoutes(
            view: shared.view, fleetLanguage: configuration.engine.language, publisher: shared.publisher, topics: topics
        )
        let paired = router.group("api/v1").group().add(middleware: CabBearer(access: shared.cabs))
        cab.add(to: paired)
        CabRoadsRoute(view: shared.view).add(to: paired)
        CabStreamRoute(
            view: shared.view, fleetLanguage: configuration.engine.language, messages: shared.messages,
            access: shared.cabs, metrics: metrics
        ).add(to: paired)
    }

    /// The health checks and metrics, and nothing else.
    func buildHealth() -> Router<ConsoleContext> {
        let methods = AllowedMethods()
        let router = bareRouter(methods)
        addHealth(to: router)
        methods.note(router.routes)
        return router
    }

    /// Without routes, and with all that every request passes.
    private func bareRouter(_ methods: AllowedMethods) -> Router<ConsoleContext> {
        let router = Router(context: ConsoleContext.self, options: .autoGenerateHeadEndpoints)
        // The first is the outermost: errors of all that follow get their answer, and every answer its headers.
        router.add(middleware: RequestCounts(metrics: metrics))
        router.add(middleware: SecurityHeaders())
        router.add(middleware: ErrorAnswers())
        router.add(middleware: HostCheck(hosts: AllowedHosts(settings)))
        router.add(middleware: OriginCheck())
        router.add(middleware: methods)
        router.add(middleware: BodyLimit())
        return router
    }

    private func addHealth(to router: Router<ConsoleContext>) {
        HealthRoutes(readiness: shared.readiness).add(to: router)
        MetricsRoutes(gateway: shared.metrics, webhooks: shared.webhooks, console: metrics).add(
            to: requiring(role: .viewer, on: router))
    }

    private func addViews(to routes: RouterGroup<ConsoleContext>, _ library: MapLibrary) {
        let history = HistoryReader(configuration.location, logger: logger)
        StatusRoutes(
            version: configuration.version, settings: settings, tokens: tokens, units: configuration.engine.units,
            keepPositions: configuration.keepPositions, shared: shared, mapCache: mapCache, library: library
        ).add(to: routes)
        VehicleRoutes(view: shared.view, history: history, regionLimit: configuration.engine.regions.limit).add(
            to: routes)
        TrackRoutes(view: shared.view, history: history).add(to: routes)
        ExplanationRoutes(
            view: shared.view, engine: shared.engine, history: history, keepPositions: configuration.keepPositions,
            workers: workers
        ).add(to: routes)
        RouteRoutes(view: shared.view, messages: shared.messages, engine: shared.engine, workers: workers).add(
            to: routes)
        FenceRoutes(view: shared.view, mapCache: mapCache).add(to: routes)
        let heights = configuration.engine.heights
        let preview = ClearancePreviewRoute(
            view: shared.view, engine: shared.engine, heights: heights, workers: workers)
        ClearanceRoutes(
            view: shared.view, mapCache: mapCache, legalDefault: heights.legalDefault, preview: preview
        ).add(to: routes)
        ClearanceEvidenceRoutes(view: shared.view, mapCache: mapCache, history: history).add(to: routes)
        let units = configuration.engine.units
        AlertRoutes(view: shared.view, history: history, units: units).add(to: routes)
        HistoryRoutes(history: history).add(to: routes)
        ReportRoutes(view: shared.view, history: history).add(to: routes)
        TileRoutes(view: shared.view).add(to: routes)
        PlaceRoutes(view: shared.view, mapCache: mapCache).add(to: routes)
        StreamRoutes(shared: shared, run: Self.run, units: units, metrics: metrics).add(to: routes)
    }

    /// Names this run of the program among others: the numbers of its messages mean nothing to another.
    private static let run = String(UInt64.random(in: 0...UInt64.max), radix: 36)

    private func requiring(
        role: Role, on routes: some RouterMethods<ConsoleContext>
    ) -> RouterGroup<ConsoleContext> {
        routes.group().add(middleware: BearerToken(tokens: tokens, role: role))
    }
}
