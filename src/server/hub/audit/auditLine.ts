import { jsonLine } from '../../../domain/printable.ts';
import type { AuditEvent } from './auditEvent.ts';

/** In bytes, with its end. */
const longestLine = 16 * 1024;

/** How many characters of each text, and how many items of a list. */
interface Size {
  readonly text: number;
  readonly list: number;
}

/**
 * The event as one line of JSON, with its end: at most 16 KB, and free of characters that could
 * forge a line or turn text around. A text that was cut ends in `…`, and `more` counts what is left
 * out of a list.
 */
export function auditLine(event: AuditEvent, time: Date): string {
  let size: Size = { text: 1000, list: 50 };
  let line = lineOf(event, time, size);
  while (Buffer.byteLength(line) > longestLine) {
    size = smaller(size);
    line = lineOf(event, time, size);
  }
  return line;
}

/** Whole paths tell more than many. */
function smaller({ text, list }: Size): Size {
  return list > 5 ? { text, list: list >> 1 } : { text: text >> 1, list };
}

function lineOf(event: AuditEvent, time: Date, { text, list }: Size): string {
  const said: Partial<Record<Field, string | readonly string[]>> = event;
  const entry: Record<string, unknown> = { time: time.toISOString() };
  // Only what is named here is told: an object may hold more than its type says.
  for (const field of fields) {
    const value = said[field];
    if (typeof value === 'string') {
      entry[field] = cut(value, text);
    } else if (value) {
      entry[field] = value.slice(0, list).map(one => cut(one, text));
      entry['more'] = value.length > list ? value.length - list : undefined;
    }
  }
  return `${jsonLine(entry)}\n`;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

type KeyOf<T> = T extends unknown ? keyof T : never;
type Field = KeyOf<AuditEvent>;

/** In the order in which they are told. */
const fields = [
  ...(['event', 'session', 'server', 'child', 'tool', 'verdict', 'state', 'source'] as const),
  ...(['roots', 'paths', 'reason'] as const),
] satisfies readonly Field[];
