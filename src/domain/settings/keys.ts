import type { Mistakes } from './mistakes.ts';
import type { JsonObject } from './values.ts';

const stdioKeys = ['command', 'args', 'cwd', 'env', 'envFile'];
const httpKeys = ['url', 'headers'];
const commonKeys = ['type', 'roots', 'rootsAs', 'protocol', 'autoStart'];

/** What clients write for `http`, the Streamable HTTP of the protocol. */
export const httpTypes: readonly unknown[] = [
  'http',
  'streamable-http',
  'streamableHttp',
  'streamable_http',
  'streamable',
  'http-stream',
];

/** Whether a server is started here or called over HTTP. */
export type Transport = 'stdio' | 'http';

/** How a server is reached, as far as its keys tell; notes a `type` that there is not. */
export function readTransport({ type, command, url }: JsonObject, mistakes: Mistakes): Transport {
  if (type === 'stdio' || type === 'http') {
    return type;
  }
  if (type === 'sse') {
    return 'http';
  }
  if (type !== undefined) {
    mistakes.addAt('type', 'must be "stdio", "http" or "sse".');
  }
  return url !== undefined && command === undefined ? 'http' : 'stdio';
}

/**
 * Notes the keys that no server has, and those that a server reached this way has not.
 *
 * @param common the keys of every server.
 */
export function checkKeys(
  entry: JsonObject,
  transport: Transport,
  mistakes: Mistakes,
  common: readonly string[] = commonKeys,
): void {
  const own = [...(transport === 'http' ? httpKeys : stdioKeys), ...common];
  const foreign = transport === 'http' ? stdioKeys : httpKeys;
  for (const key of Object.keys(entry)) {
    if (foreign.includes(key)) {
      mistakes.addAt(key, belongsElsewhere[transport]);
    } else if (!own.includes(key)) {
      noteUnknown(key, own, mistakes);
    }
  }
}

const belongsElsewhere: Readonly<Record<Transport, string>> = {
  stdio: 'belongs to a server reached over HTTP. Leave out this, or "command" with its keys.',
  http: 'belongs to a server started as a process. Leave out this, or "url" and "headers".',
};

/** Notes a key that there is not, with the one that was meant. */
export function noteUnknown(key: string, known: readonly string[], mistakes: Mistakes): void {
  const nearest = nearestTo(key, known);
  if (nearest === undefined) {
    mistakes.addAt(key, 'is not a known key. Known keys: {2}.', known.join(', '));
  } else {
    mistakes.addAt(key, 'is not a known key. Did you mean "{2}"?', nearest);
  }
}

/** The known word that was meant, as far as that can be told. */
export function nearestTo(written: string, known: readonly string[]): string | undefined {
  // No known word is this long, and the comparison grows with the length.
  if (written.length > 30) {
    return undefined;
  }
  const word = written.toLowerCase();
  const ranked = known
    .map(key => ({ key, lower: key.toLowerCase() }))
    .map(({ key, lower }) => ({ key, lower, distance: editDistance(word, lower) }))
    .sort((a, b) => a.distance - b.distance);
  // `headres` means `headers`, `environment` means `env`, `serverUrl` means `url`, and `arguments`
  // means `args`.
  const meant =
    ranked.find(({ lower, distance }) => distance <= Math.min(2, lower.length / 2)) ??
    ranked.find(({ lower }) => word.startsWith(lower) || word.endsWith(lower)) ??
    ranked.find(({ lower }) => word.startsWith(lower.slice(0, 3)));
  return meant?.key;
}

/** How many characters have to be added, dropped or replaced to make one word of the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
