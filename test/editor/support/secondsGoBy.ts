import { seenFor } from '../../../src/domain/shown.ts';

/**
 * Skips the second that the extension gives a person to see a question, until the returned function
 * is called. The extension runs in this process, so its timers are ours. A stand-in that answers
 * without {@link aLook} has seen nothing, and is asked again.
 */
export function secondsGoBy(): () => void {
  const { setTimeout } = globalThis;
  const sooner = (task: (...args: unknown[]) => void, wait = 0, ...args: unknown[]) =>
    setTimeout(task, wait === seenFor ? 0 : wait, ...args);
  Object.assign(globalThis, { setTimeout: sooner });
  return () => Object.assign(globalThis, { setTimeout });
}

/** Settles when the present screen was visible for a second. */
export function aLook(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, seenFor));
}
