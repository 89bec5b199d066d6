import { isJsonObject, isSameJson, type JsonObject } from '../json.ts';
import { isSecretName } from '../secrets/secretNames.ts';

/** A call that a person made of a tool. */
export interface LastCall {
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** Without what looks like a secret. */
  readonly args: JsonObject;
}

/** Calls kept of a tool, and characters of one as JSON: more is no use in a form. */
const mostCalls = 10;
const longestCall = 10_000;

/** The calls of a tool with another one, the latest first; one with the same arguments goes. */
export function withCall(
  calls: readonly LastCall[],
  at: number,
  args: JsonObject,
): readonly LastCall[] {
  const kept = withoutSecrets(args) as JsonObject;
  const others = calls.filter(call => !isSameJson(call.args, kept));
  return JSON.stringify(kept).length > longestCall
    ? calls
    : [{ at, args: kept }, ...others].slice(0, mostCalls);
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutSecrets);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const members = Object.entries(value).filter(([name]) => !isSecretName(name));
  return Object.fromEntries(members.map(([name, one]) => [name, withoutSecrets(one)]));
}
