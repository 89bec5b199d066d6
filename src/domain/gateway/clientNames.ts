interface NamedServer {
  readonly definition: { readonly label: string };
}

/**
 * VS Code cuts the prefix of a tool's name to 18 characters, of which `mcp_` and the `_` behind the name of
 * the server take five.
 */
const longestName = 13;

export interface ServerOfClients<S> {
  readonly name: string;
  readonly server: S;
}

/**
 * The servers of a window, by the names that clients know: lower-case letters, digits, `-` and `_`, each
 * name only once. Most clients put it before the names of its tools.
 */
export function clientNames<S extends NamedServer>(servers: readonly S[]): ServerOfClients<S>[] {
  const taken = new Set<string>();
  return servers.map(server => {
    const name = freeName(plainName(server.definition.label), taken);
    taken.add(name);
    return { name, server };
  });
}

/**
 * The name by which the editor knows a server. VS Code switches off all but one of the servers that go
 * by one name, whatever its case, and an extension can't know which it has from elsewhere: `mcp.json`,
 * files of other clients, other extensions. So this is one that nobody else gives.
 */
export function editorName(name: string): string {
  return `${name} (MCP Roots)`;
}

function plainName(label: string): string {
  const words = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9_-]+/g, '-');
  return wholeWords(words.replace(/^[-_]+/, '')) || 'server';
}

function wholeWords(words: string): string {
  const whole = /^.*(?=[-_])/.exec(words.slice(0, longestName + 1))?.[0];
  return words.length > longestName && whole ? whole : cut(words, longestName);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let count = 2, free = name; ; count++) {
    if (!taken.has(free)) {
      return free;
    }
    const suffix = `-${count}`;
    free = cut(name, longestName - suffix.length) + suffix;
  }
}

function cut(name: string, length: number): string {
  return name.slice(0, length).replace(/[-_]+$/, '');
}
