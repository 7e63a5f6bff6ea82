import Gateway
import Hummingbird

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
    let hosts: AllowedHosts
    /// Nil: authentication is not in force.
    let tokens: TokenList?
    let metrics: GatewayMetrics
    let readiness: Readiness
    let descriptions: DescriptionRoom

    func build() -> Router<ConsoleContext> {
        let router = Router(context: ConsoleContext.self, options: .autoGenerateHeadEndpoints)
        // The first is the outermost: errors of all that follow get their answer, and every answer its headers.
        router.add(middleware: SecurityHeaders())
        router.add(middleware: ErrorAnswers())
        router.add(middleware: HostCheck(hosts: hosts))
        router.add(middleware: BodyLimit())

        HealthRoom(readiness: readiness).add(to: router)
        MetricsRoom(metrics: metrics).add(to: door(router, for: .viewer))
        descriptions.add(to: door(router, for: .viewer))
        return router
    }

    private func door(_ router: Router<ConsoleContext>, for role: Role) -> RouterGroup<ConsoleContext> {
        router.group().add(middleware: BearerToken(tokens: tokens, role: role))
    }
}
