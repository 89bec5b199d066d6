import { createHash } from 'node:crypto';
import { isJsonObject } from '../settings/values.ts';
import type { HubServer } from './hubServer.ts';

/**
 * SHA-256, in hexadecimal, over all that makes a server another process or connection, in whatever
 * order its keys are. It covers secrets, so it must be shown nowhere.
 */
export function fingerprintOf(server: Pick<HubServer, 'launch' | 'rootsAs' | 'protocol'>): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(server)))
    .digest('hex');
}

/** The value with the keys of its objects as pairs, in their order: no key is special in a list. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(canonical);
  }
  return isJsonObject(value)
    ? {
        pairs: Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, part]) => [key, canonical(part)]),
      }
    : value;
}
