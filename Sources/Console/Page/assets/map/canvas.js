// @ts-check

/**
 * @param {HTMLCanvasElement | OffscreenCanvas} canvas
 * @param {CanvasRenderingContext2DSettings} settings
 * @returns {CanvasRenderingContext2D}
 */
export function context2D(canvas, settings = {}) {
  const context = canvas.getContext("2d", settings);
  if (context === null) throw new Error("expected a 2D canvas, got none: the browser does not draw");
  return context;
}
