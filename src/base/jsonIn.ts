/** The value of a JSON text. `undefined`: the text is not JSON, which is no error for the callers. */
export function jsonIn(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
