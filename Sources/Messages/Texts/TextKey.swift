/// What is said to drivers, by MQTT and on the page in the cab. Each language's table has a text for every key; `{name}` in it
/// stands for a value.
public enum TextKey: String, CaseIterable, Sendable {
    // Alerts, and their parts.
    case bridgeLow, bridgeUnknown, onRoad, ahead, aheadInDoubt, detour, stop, ended, cleared, clearedSilent, passed,
        straightAhead, straightAheadIf, straightDetour, straightStop, notice, lastTurnOff, sideRoad, doNotTurnOnto,
        doNotTurnOff, inDistance, noTurnOff, leave, turnOff, atRoad, now, here

    // Requests and answers to routes.
    case heightStale, heightRequired, profileRefused, outOfDate, consentRefused, consentRequired, routeOffMap,
        routePartsOffMap, waypointOffMap, waypointUnreachable, routeClear, routeTooLow, andMore, routeWayWithout,
        routeNoWayWithout

    // The page in the cab alone.
    case pageSTOP, pageLeave, pageAhead, pageTap, pageStopSharing, pageHeight, pageHeightUnknown, pageWatching,
        pageNotAll, pageNear, pageMap, pageUnknown, pageOffNetwork, pageStalePosition, pageTablesPending,
        pageNoClearanceData, pageNoConsent, pageClockSkew, pageScreenMayTurnOff, pagePositionRefused, pageNoPosition,
        pagePoorPosition, pageLeft, pageConnecting, pageNotConnected, pageNeverConnected, pageNeverSeen,
        pageHeightUnconfirmed, pageStart, pageAbout, pageAskingHeight, pageConfirmLater, pageAnotherHeight,
        pageVehicleHeight, pageHeightHint, pageSetHeight, pageHeightAssumed, pageHeightQuestion, pageYes,
        pageHeightNotKnownYet, pageDriveUnconfirmed, pageDriveWithoutHeight, pageSending, pageBackToStart, pageStopped,
        pageNotTold, pageTryAgain, pageUnpaired, pageStillPaired
}
