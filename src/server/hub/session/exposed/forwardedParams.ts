import { isJsonObject } from '../../../../domain/settings/values.ts';
import type { RawRequest } from '../../hubHost.ts';
import type { GuardedCall } from '../guardedCalls.ts';

type Members = Readonly<Record<string, unknown>>;

/** The members of these names. Others, which nobody would hold against the roots, are left out. */
export function pick(value: unknown, names: readonly string[]): Members {
  const own = isJsonObject(value) ? value : {};
  const kept = names.filter(name => Object.hasOwn(own, name));
  return Object.fromEntries(kept.map(name => [name, own[name]]));
}

/**
 * The call with what the client says of its request in `_meta`, such as the ids of a trace: it goes
 * to the child too, and is held against the roots like the call itself.
 */
export function withMeta(request: RawRequest, call: Omit<GuardedCall, 'meta'>): GuardedCall {
  const { _meta } = request.params ?? {};
  const passed = Object.entries(isJsonObject(_meta) ? _meta : {}).filter(([key]) => goesOn(key));
  if (passed.length === 0) {
    return call;
  }
  // Each for itself, because names of different prefixes may be the same.
  const meta = passed.map(([key, value]) => ({ [key.slice(key.indexOf('/') + 1)]: value }));
  return { ...call, params: { ...call.params, _meta: Object.fromEntries(passed) }, meta };
}

/** What the protocol itself has there is between two neighbours, and the hub is one of them. */
function goesOn(key: string): boolean {
  return keyOfMeta.test(key) && key !== 'progressToken' && !key.startsWith(ofProtocol);
}

const ofProtocol = 'io.modelcontextprotocol/';

/** A prefix and a name, neither of which can lead anywhere. (2025-11-25, basic, `_meta`.) */
const keyOfMeta = /^(?:[A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)*\/)?[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/;
