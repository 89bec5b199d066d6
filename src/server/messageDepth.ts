import { holdsMore } from '../base/holdsMore.ts';

/** More than any message needs, and too little for the stack of whoever walks through one. */
const mostLevels = 100;

/** What is told of a message that is too deep, in finished sentences. */
export const tooDeep = `This message has more than ${mostLevels} levels of nesting. Send a flatter one.`;

/**
 * Whether a message is nested deeper than whoever walks through it has a stack for. `text` is the
 * JSON that `value` was read from, however deep that is.
 */
export function isTooDeep(text: string, value: unknown): boolean {
  // Nearly no message has brackets enough to be walked through for its depth.
  return holdsMore(text, mostLevels, '{', '[') && isDeeper(value, mostLevels);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return levels === 0 ? inner.length > 0 : inner.some(part => isDeeper(part, levels - 1));
}
