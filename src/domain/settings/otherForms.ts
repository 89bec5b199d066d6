import { isJsonObject, type JsonObject } from '../json.ts';

/** Our keys for the keys of Windsurf, Gemini CLI, OpenCode and Goose. */
const ourKeys: ReadonlyMap<string, string> = new Map([
  ...(['serverUrl', 'httpUrl', 'uri'] as const).map(key => [key, 'url'] as const),
  ...(['environment', 'envs'] as const).map(key => [key, 'env'] as const),
  ...(['transport', 'transportType'] as const).map(key => [key, 'type'] as const),
  ['cmd', 'command'],
]);

/** A definition in any client's form, rewritten with our keys and words. */
export function inOurForm(raw: JsonObject): JsonObject {
  const named = Object.entries(raw).flatMap(([key, value]): [string, unknown][] => {
    const ours = ourKeys.get(key) ?? key;
    const isSwitch = /^(?:dis|en)abled$/.test(key) && typeof value === 'boolean';
    if (key === 'oauth' && isJsonObject(value)) {
      const { clientId, callbackPort = null, ...more } = value;
      const client = callbackPort === null ? { clientId } : { clientId, callbackPort };
      const others = Object.entries(more).map(([name, one]): [string, unknown] => [
        `oauth.${name}`,
        one,
      ]);
      return clientId ? [['oauth', client], ...others] : others;
    }
    return isSwitch ? [] : [[ours in raw ? key : ours, value]];
  });
  const entry: JsonObject = Object.fromEntries(named);
  const { command, args = [], type } = entry;
  // OpenCode puts the program and its arguments in one list.
  const [program, ...words] = Array.isArray(command) ? command : [];
  return {
    ...entry,
    ...(program !== undefined && { command: program, args: [...words, ...[args].flat()] }),
    ...(typeof type === 'string' && { type: ourType(type) }),
    ...(isSwitchedOff(raw) && { autoStart: false }),
  };
}

/** Whether the server is switched off in its client. */
export function isSwitchedOff({ disabled, enabled }: JsonObject): boolean {
  return disabled === true || enabled === false;
}

/** Our word for a client's `type`: `http` for `remote`. Other types: lower case, no separators. */
function ourType(type: string): string {
  const word = type.toLowerCase().replace(/[-_ ]/g, '');
  if (/^(?:streamable(?:http)?|http(?:stream)?|remote)$/.test(word)) {
    return 'http';
  }
  return word === 'local' ? 'stdio' : word;
}
