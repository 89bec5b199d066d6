import { hasMoreBrackets } from '../base/jsonBrackets.ts';

/** More than any message needs, and few enough for the stack of a function that walks through one. */
const mostLevels = 100;

/** The refusal of a message that is too deep, in finished sentences. */
export const tooDeep = `This message has more than ${mostLevels} levels of nesting. Send a flatter one.`;

/**
 * Whether a message is nested too deep for the stack of such a function. `text` is the JSON that
 * `value` was read from, however deep that is.
 */
export function isTooDeep(text: string, value: unknown): boolean {
  // Nearly no message has brackets enough to be walked through for its depth.
  return hasMoreBrackets(text, mostLevels) && isDeeper(value, mostLevels);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return levels === 0 ? inner.length > 0 : inner.some(part => isDeeper(part, levels - 1));
}
