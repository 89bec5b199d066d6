/** A time as text; `undefined` for one that file systems can keep and JavaScript cannot. */
export function isoTime(time: Date): string | undefined {
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
