// Part of all current browsers, but not of the DOM library of TypeScript 4.8.

declare class OffscreenCanvas {
  constructor(width: number, height: number);
  width: number;
  height: number;
  getContext(type: "2d", settings?: CanvasRenderingContext2DSettings): CanvasRenderingContext2D | null;
}

interface Array<T> {
  with(index: number, value: T): T[];
}

type AbortSignalWithTimeout = typeof AbortSignal & { timeout(milliseconds: number): AbortSignal };
