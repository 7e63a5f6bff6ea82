import Fleet
import Gateway
import Hummingbird
import Logging
import Messages

/// What goes with a request through the house.
struct ConsoleContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
    }

    var maxUploadSize: Int { ConsoleLimits.body }
}

/// The rooms of the house and the doors before them. A room is a folder that adds its routes; which token opens it is
/// decided here, so that one page shows who may see what.
struct ConsoleRouter {
    let settings: ConsoleSettings
    /// Nil: authentication is not in force.
    let tokens: TokenList?
    let configuration: GatewayConfiguration
    let board: Switchboard
    let descriptions: DescriptionRoom
    let logger: Logger

    func build() -> Router<ConsoleContext> {
        let router = Router(context: ConsoleContext.self, options: .autoGenerateHeadEndpoints)
        let metrics = ConsoleMetrics()
        // The first is the outermost: errors of all that follow get their answer, and every answer its headers.
        router.add(middleware: RequestCounts(metrics: metrics))
        router.add(middleware: SecurityHeaders())
        router.add(middleware: ErrorAnswers())
        router.add(middleware: HostCheck(hosts: AllowedHosts(settings)))
        router.add(middleware: BodyLimit())

        let library = MapLibrary(folder: settings.map.library)
        PageRoom(settings: settings, library: library).add(to: router)
        HealthRoom(readiness: board.readiness).add(to: router)
        MetricsRoom(gateway: board.metrics, console: metrics).add(to: door(router, for: .viewer))
        addViews(to: door(router.group("api/v1"), for: .viewer), library, metrics)
        let dispatch = DispatchRoom(
            view: board.view, desk: board.desk, topics: configuration.topics, pattern: configuration.pattern)
        dispatch.add(to: door(router.group("api/v1"), for: .editor))
        descriptions.add(to: door(router.group("api/v1"), for: .viewer))
        return router
    }

    private func addViews(
        to routes: RouterGroup<ConsoleContext>, _ library: MapLibrary, _ metrics: ConsoleMetrics
    ) {
        let gallery = MapGallery()
        let shelf = HistoryShelf(path: configuration.store, logger: logger)
        StatusRoom(
            version: configuration.version, settings: settings, tokens: tokens, units: configuration.engine.units,
            board: board, gallery: gallery, library: library
        ).add(to: routes)
        VehicleRoom(view: board.view, history: shelf, regionLimit: configuration.engine.regions.limit).add(to: routes)
        FenceRoom(view: board.view, gallery: gallery).add(to: routes)
        ClearanceRoom(view: board.view, gallery: gallery, legalDefault: configuration.engine.heights.legalDefault)
            .add(to: routes)
        AlertRoom(view: board.view, history: shelf).add(to: routes)
        HistoryRoom(shelf: shelf).add(to: routes)
        TileRoom(view: board.view).add(to: routes)
        StreamRoom(board: board, run: Self.run, metrics: metrics).add(to: routes)
    }

    /// Names this run of the program among others: the numbers of its messages mean nothing to another.
    private static let run = String(UInt64.random(in: 0...UInt64.max), radix: 36)

    private func door(_ routes: some RouterMethods<ConsoleContext>, for role: Role) -> RouterGroup<ConsoleContext> {
        routes.group().add(middleware: BearerToken(tokens: tokens, role: role))
    }
}
