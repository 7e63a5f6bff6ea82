import Testing

/// What everybody needs of a page, whatever they see and hear it with: the checks of WCAG 2.2 AA that a program can do.
struct PageAudit {
    let browser: Browser
    /// Of which there is one each.
    var landmarks = ["main", "header", "nav"]
    /// Where fewer are found, not everything was looked at.
    var usableCountMin = 6

    /// What is wrong with the page as it is now; empty: nothing.
    func problems() async throws -> [String] {
        let found = try await browser.run(Self.script, [landmarks]) as? [String] ?? ["the audit did not run"]
        return try await found + unnamed()
    }

    /// Everything that can be used has a name, as the browser tells those who hear the page.
    private func unnamed() async throws -> [String] {
        let nodes = try await browser.accessibilityNodes()
        let usable = nodes.filter { Self.usableRoles.contains($0.role) }
        guard usable.count >= usableCountMin else {
            return ["only \(usable.count) of \(nodes.count) parts of the page can be used"]
        }
        return usable.filter { $0.name.isEmpty }.map { "a \($0.role) without a name" }
    }

    private static let usableRoles: Set = [
        "button", "checkbox", "combobox", "dialog", "DisclosureTriangle", "link", "listbox", "radio", "region",
        "searchbox", "slider",
        "spinbutton", "table", "textbox", "DateTime",
    ]

    private static let script = #"""
        const problems = [];
        const shown = (e) => e.checkVisibility({visibilityProperty: true, opacityProperty: true});
        const brief = (e) => `<${e.localName}${e.id ? ` id=${e.id}` : ""}${e.className ? ` class=${e.className}` : ""}> ${(e.innerText ?? "").slice(0, 40)}`;

        // The page as a whole.
        if (document.documentElement.lang === "") problems.push("the page says no language");
        if (document.title === "") problems.push("the page has no title");
        for (const landmark of arguments[0]) {
          if (document.querySelectorAll(landmark).length !== 1) problems.push(`not one ${landmark}`);
        }
        const levels = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter(shown).map((e) => Number(e.localName[1]));
        if (levels.filter((level) => level === 1).length !== 1) problems.push("not one h1");
        levels.forEach((level, place) => { if (level > (levels[place - 1] ?? 0) + 1) problems.push(`a heading of level ${level} after ${levels[place - 1]}`); });
        const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
        for (const id of new Set(ids)) if (ids.filter((other) => other === id).length > 1) problems.push(`id twice: ${id}`);
        for (const e of document.querySelectorAll("[tabindex]")) if (e.tabIndex > 0) problems.push(`positive tabindex: ${brief(e)}`);
        for (const name of ["aria-labelledby", "aria-describedby", "for"]) {
          for (const e of document.querySelectorAll(`[${name}]`)) {
            for (const id of e.getAttribute(name).split(" ")) if (!document.getElementById(id)) problems.push(`${name} names nobody: ${id}`);
          }
        }

        // Contrast: the ground is what the nearest ancestors paint, from the back to the front.
        const pen = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
        const rgba = (colour) => {
          pen.clearRect(0, 0, 1, 1); pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1);
          const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
          return [r, g, b, a / 255];
        };
        const over = ([r, g, b, a], under) => [r, g, b].map((c, at) => c * a + under[at] * (1 - a)).concat(1);
        const groundOf = (e) => {
          const behind = [];
          for (let at = e; at; at = at.parentElement) behind.unshift(rgba(getComputedStyle(at).backgroundColor));
          return behind.reduce((under, colour) => over(colour, under), [255, 255, 255, 1]);
        };
        const light = ([r, g, b]) => {
          const [x, y, z] = [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
          return 0.2126 * x + 0.7152 * y + 0.0722 * z;
        };
        const contrast = (one, other) => {
          const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
          return (a + 0.05) / (b + 0.05);
        };
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const checked = new Set();
        while (texts.nextNode()) {
          const e = texts.currentNode.parentElement;
          if (texts.currentNode.data.trim() === "" || checked.has(e) || !shown(e) || e.closest(":disabled, script, style, noscript, .visually-hidden, .skip-link")) continue;
          checked.add(e);
          const style = getComputedStyle(e);
          const size = parseFloat(style.fontSize);
          const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
          const ground = groundOf(e);
          const ratio = contrast(over(rgba(style.color), ground), ground);
          if (ratio < least) problems.push(`contrast ${ratio.toFixed(2)}: ${brief(e)}`);
        }
        for (const e of document.querySelectorAll("input, select, textarea, button")) {
          if (!shown(e) || e.disabled || ["checkbox", "radio"].includes(e.type) || e.closest(".maplibregl-map")) continue;
          const around = groundOf(e.parentElement);
          const edge = contrast(over(rgba(getComputedStyle(e).borderTopColor), around), around);
          const face = contrast(groundOf(e), around);
          if (Math.max(edge, face) < 3) problems.push(`control hard to see, ${Math.max(edge, face).toFixed(2)}: ${brief(e)}`);
        }

        // Nothing is lost to the side.
        if (document.documentElement.scrollWidth > document.documentElement.clientWidth) {
          const wide = [...document.body.querySelectorAll("*")].filter((e) => shown(e) && e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".maplibregl-map"));
          problems.push(`wider than the window: ${wide.slice(0, 3).map(brief).join("; ")}`);
        }
        return problems;
        """#
}
