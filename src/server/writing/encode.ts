import type { Outcome } from '../paths/refusal.ts';
import { unchanged } from './reasons.ts';

/** The bytes of a text that is to go into a file; `input` is the path that is spoken of. */
export function encode(input: string, text: string): Outcome<Uint8Array> {
  // Half a character would be written as U+FFFD: the file would not hold what was sent.
  return /\p{Surrogate}/u.test(text)
    ? unchanged(input, 'The text holds half of a character (a lone surrogate).')
    : { ok: true, value: Buffer.from(text) };
}
