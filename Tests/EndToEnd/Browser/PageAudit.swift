import Foundation
import Testing

/// What everybody needs of a page, whatever they see and hear it with: axe-core's rules, which are those of WCAG 2.2 AA that a
/// program can check and good practice, and two of WCAG that it does not know.
struct PageAudit {
    let browser: Browser

    private static let library = URL(filePath: "/usr/local/share/axe-core/axe.min.js")

    /// What is wrong with the page as it is now; empty: nothing.
    func problems() async throws -> [String] {
        if try await browser.run("return window.axe === undefined") as? Bool == true {
            let library = try? String(contentsOf: Self.library, encoding: .utf8)
            try await browser.run(#require(library, "expected \(Self.library.path): deploy/install fetches it"))
        }
        let broken = try #require(try await browser.runAsync(Self.rules) as? [String])
        let hidden = try #require(try await browser.run(Self.visibility) as? [String])
        return broken + hidden
    }

    private static let rules = """
        axe.run({resultTypes: ["violations"]}).then(
          ({violations, passes}) => done(passes.length < 10 ? [`only ${passes.length} rules applied`] : violations.map(
            ({id, help, nodes}) => `${id} (${help}): ${nodes.map(({html}) => html.slice(0, 120)).slice(0, 3).join(" ")}`)),
          (error) => done([`the audit did not run: ${error}`]));
        """

    /// Contrast of controls (1.4.11) and reflow (1.4.10).
    private static let visibility = #"""
        const problems = [];
        const shown = (e) => e.checkVisibility({visibilityProperty: true, opacityProperty: true});
        const brief = (e) => `<${e.localName}${e.id ? ` id=${e.id}` : ""}${e.className ? ` class=${e.className}` : ""}> ${(e.innerText ?? "").slice(0, 40)}`;

        // The ground is what the nearest ancestors paint, from the back to the front.
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
        const luminance = ([r, g, b]) => {
          const [x, y, z] = [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
          return 0.2126 * x + 0.7152 * y + 0.0722 * z;
        };
        const contrast = (one, other) => {
          const [a, b] = [luminance(one), luminance(other)].sort((x, y) => y - x);
          return (a + 0.05) / (b + 0.05);
        };
        for (const e of document.querySelectorAll("input, select, textarea, button")) {
          if (!shown(e) || e.disabled || ["checkbox", "radio"].includes(e.type) || e.closest(".maplibregl-map")) continue;
          const around = groundOf(e.parentElement);
          const edge = contrast(over(rgba(getComputedStyle(e).borderTopColor), around), around);
          const face = contrast(groundOf(e), around);
          if (Math.max(edge, face) < 3) problems.push(`control hard to see, ${Math.max(edge, face).toFixed(2)}: ${brief(e)}`);
        }

        if (document.documentElement.scrollWidth > document.documentElement.clientWidth) {
          const wide = [...document.body.querySelectorAll("*")].filter((e) => shown(e) && e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".maplibregl-map"));
          problems.push(`wider than the window: ${wide.slice(0, 3).map(brief).join("; ")}`);
        }
        return problems;
        """#
}
