/**
 * Runs what takes an answer that does not come in a few seconds for none, and gives those answers
 * ten times as long: a busy machine is slower than a check of a server believes. The extension runs
 * in this process, so its timers are ours.
 */
export async function unhurried<T>(run: () => PromiseLike<T>): Promise<T> {
  const { setTimeout } = globalThis;
  const later = (task: (...args: unknown[]) => void, wait = 0, ...args: unknown[]) =>
    setTimeout(task, isPatience(wait) ? 10 * wait : wait, ...args);
  Object.assign(globalThis, { setTimeout: later });
  try {
    return await run();
  } finally {
    Object.assign(globalThis, { setTimeout });
  }
}

function isPatience(wait: number): boolean {
  return wait >= 3000 && wait <= 60_000;
}
