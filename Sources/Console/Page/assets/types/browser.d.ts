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

// Of a service worker, whose library cannot be loaded beside that of pages.
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface WorkerFetchEvent extends WorkerEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

interface WakeLockSentinel {
  readonly released: boolean;
  release(): Promise<void>;
}

interface Navigator {
  readonly wakeLock: { request(type: "screen"): Promise<WakeLockSentinel> };
}
