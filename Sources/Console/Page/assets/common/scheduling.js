// @ts-check

/** The least time from a call of a throttled function to its work, in milliseconds: calls that belong together are one. */
const throttleDelay = 100;

/**
 * Runs `work` once, `milliseconds` after the last call.
 *
 * @param {() => void} work
 * @param {number} milliseconds
 * @returns {() => void}
 */
export function debounce(work, milliseconds) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}

/**
 * Runs `work` shortly after a call, at most once in so many milliseconds.
 *
 * @param {() => void} work
 * @param {number} milliseconds
 * @returns {() => void}
 */
export function throttle(work, milliseconds) {
  let isScheduled = false;
  let lastRun = -Infinity;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => {
      isScheduled = false;
      lastRun = performance.now();
      work();
    }, Math.max(throttleDelay, lastRun + milliseconds - performance.now()));
  };
}

/**
 * Runs `work` once in the next animation frame, however often it is called before. A hidden tab draws no frames.
 *
 * @param {() => void} work
 * @returns {() => void}
 */
export function onNextFrame(work) {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(() => {
      isScheduled = false;
      work();
    });
  };
}

/**
 * Runs asynchronous `work`, never twice at once: calls during a run make it run once more.
 *
 * @param {() => Promise<void>} work
 * @returns {() => Promise<void>}
 */
export function withoutOverlap(work) {
  let isRunning = false;
  let isRequested = false;
  return async () => {
    isRequested = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isRequested) {
        isRequested = false;
        await work();
      }
    } finally {
      isRunning = false;
    }
  };
}
