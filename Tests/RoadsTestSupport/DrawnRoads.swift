/// Drawings that several suites look at: what is found on their roads, and what a truck is told there.
extension DrawnNetwork {
    /// A roundabout that is low all round, 40 m across, between two crossings that a street round it joins.
    ///
    ///           n
    ///               c
    ///     s──j────f   a────k──e     j -520, f -20, a 20, k 520 m
    ///               h
    package static let lowRoundabout = """
        a 20 0
        b 14 14
        c 0 20
        d -14 14
        f -20 0
        g -14 -14
        h 0 -20
        i 14 -14
        s -4000 0
        j -520 0
        k 520 0
        e 4000 0
        n 0 500
        abcdfghia tertiary name=Ring junction=roundabout maxheight=3.2
        sjf tertiary name=Main+Street
        ake tertiary name=Main+Street
        jn residential name=Mill+Lane
        nk residential name=Mill+Lane

        """

    /// A lane under a low bridge, the only way into an estate, and a street there that comes back to the lane.
    ///
    ///     s────j────e
    ///          a          100 m north
    ///          b          120 m
    ///          c          400 m, from there round by u, v, w and x
    package static let estate = """
        s -4000 0
        j 0 0
        e 3000 0
        a 0 100
        b 0 120
        c 0 400
        u -60 440
        v -60 520
        w 60 520
        x 60 440
        sje secondary name=Main+Road
        ja residential name=Mill+Lane
        ab residential name=Mill+Lane maxheight=3.2
        bc residential name=Mill+Lane
        cuvwxc residential name=Mill+Close
        """

    /// A loop road, one way from `f` and back, that ends low.
    ///
    ///     w───────────v
    ///     │           │
    ///     g──h═══f────u
    ///            │
    ///     m──────t─────────e
    package static let loopRoad = """
        m -3000 0
        t 0 0
        e 3000 0
        f 0 600
        u 400 800
        v 400 1300
        w -400 1300
        g -400 800
        h -100 640
        mte primary name=Main+Road
        tf unclassified name=Stem+Lane
        fuvwg unclassified name=Loop+Road oneway=yes
        gh unclassified name=Loop+Road oneway=yes
        hf unclassified name=Loop+Road oneway=yes maxheight=3.2

        """

    /// Another road into that loop, from which a road leads round to `f`.
    package static let loopRoadEntrance = """
        r -1500 800
        q -1000 800
        p -900 300
        mr unclassified name=West+Road
        rqg unclassified name=West+Road oneway=yes
        qpf unclassified name=Bypass+Road oneway=yes
        """

    /// A street that is shorter than the way under a low bridge, beneath something of unknown height, and a longer one: by `u`
    /// and `v` 300 m, by `x` and `y` 1,500 m, under the bridge 1,100 m.
    package static let shorterUnderUnknown = """
        s -1000 0
        j 0 0
        a 0 -500
        b 100 -500
        k 100 0
        e 1100 0
        u 0 100
        v 100 100
        x 0 700
        y 100 700
        sja residential
        ab residential maxheight=3.2
        bke residential
        ju residential
        uv residential maxheight=below_default
        vk residential
        uxyv residential
        """
}
