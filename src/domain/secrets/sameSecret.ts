import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two secrets are equal. Takes constant time, so that the time reveals nothing of them. */
export function isSameSecret(one: string, other: string): boolean {
  const hashOf = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hashOf(one), hashOf(other));
}
