import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes the connection of a client that does not send its request: one that sends a byte now and then is never idle, and
/// would hold one of the connections that there are for as long as it likes.
///
/// The head of a connection's first request is due from its opening on. Between two requests the idle timeout holds.
final class RequestTimeout: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    /// Nil while no part of a request is due.
    private var end: Scheduled<Void>?

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { close(context, after: ConsoleLimits.headPatience) }
    }

    func channelActive(context: ChannelHandlerContext) {
        close(context, after: ConsoleLimits.headPatience)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: close(context, after: ConsoleLimits.bodyPatience)
        case .body: break
        case .end: cancel()
        }
        context.fireChannelRead(data)
    }

    /// Who stops does not wait for who does not send.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, end != nil { close(context, after: .seconds(1)) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { cancel() }

    private func close(_ context: ChannelHandlerContext, after delay: TimeAmount) {
        cancel()
        let channel = context.channel
        end = context.eventLoop.scheduleTask(in: delay) { channel.close(promise: nil) }
    }

    private func cancel() {
        end?.cancel()
        end = nil
    }
}
