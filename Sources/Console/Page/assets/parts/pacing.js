/** Runs `work` once, `milliseconds` after the last call. */
export function afterwards(milliseconds, work) {
  let timer = null;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}

/** Runs `work` at the next frame, however often it is called before. A hidden tab draws no frames and needs none. */
export function atNextFrame(work) {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      work();
    });
  };
}

/** Runs `work` soon after a call, and no oftener than once in so many milliseconds. */
export function seldom(milliseconds, work) {
  let timer = null;
  let last = -Infinity;
  return () => {
    if (timer !== null) return;
    const wait = Math.max(100, last + milliseconds - performance.now());
    timer = setTimeout(() => {
      timer = null;
      last = performance.now();
      work();
    }, wait);
  };
}

/** Runs asynchronous `work`, never twice at once: calls that come meanwhile make it run once more. */
export function oneAtATime(work) {
  let isRunning = false;
  let isWanted = false;
  return async () => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isWanted) {
        isWanted = false;
        await work();
      }
    } finally {
      isRunning = false;
    }
  };
}
