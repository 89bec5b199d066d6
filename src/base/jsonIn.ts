/** The value of a JSON text; `undefined` when the text is not JSON, which is not an error here. */
export function jsonIn(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
