import { isJsonObject } from '../settings/values.ts';

/** One server in the form of the setting `mcpRoots.servers`: what is written there. */
export interface ServerEntry {
  readonly type: 'stdio' | 'http' | 'sse';
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly envFile?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly autoStart?: boolean;
  readonly rootsAs?: readonly string[];
}

/** One element of the setting `mcpRoots.inputs`: a value that a person is asked for. */
export interface InputEntry {
  readonly id: string;
  readonly type: 'promptString' | 'pickString';
  readonly description?: string;
  readonly password?: boolean;
  readonly default?: string;
  readonly options?: readonly string[];
}

/** A value for `${input:id}` that belongs into the secret storage, and nowhere else. */
export interface KeptValue {
  readonly inputId: string;
  readonly value: string;
}

/** Whether two values of JSON are the same, in whatever order their keys are. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, at) => isSameJson(item, other[at]));
  }
  if (isJsonObject(one) && isJsonObject(other)) {
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every(key => Object.hasOwn(other, key) && isSameJson(one[key], other[key]))
    );
  }
  return one === other;
}
