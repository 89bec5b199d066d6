/** Runs something once, when the signal is aborted; at once when it already is. */
export function whenAborted(signal: AbortSignal, run: () => void): void {
  if (signal.aborted) {
    run();
  } else {
    signal.addEventListener('abort', run, { once: true });
  }
}
