import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time, so that the time does not reveal a secret piece by piece. */
export function isSameSecret(one: string, other: string): boolean {
  const hashOf = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hashOf(one), hashOf(other));
}
