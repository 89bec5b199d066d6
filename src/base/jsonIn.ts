/** Returns the value of a JSON text. `undefined`: `text` is not a string, or not JSON. */
export function jsonIn(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
