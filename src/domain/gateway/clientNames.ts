import { createHash } from 'node:crypto';
import { ownName } from '../servers/ownName.ts';

interface NamedServer {
  readonly definition: { readonly label: string };
}

/**
 * VS Code cuts the prefix of a tool's name to 18 characters. `mcp_` and the `_` after the server's
 * name take five of these characters.
 */
const longestName = 13;

export interface ServerOfClients<S> {
  readonly name: string;
  readonly server: S;
}

/**
 * The servers of a window by the names that clients use: lower-case letters, digits, `-` and `_`.
 * Most clients put this name in front of the tools' names. Only the server's label decides the
 * name, because clients store it, and it must never lead to another server. Servers whose names
 * would be equal get no name.
 */
export function clientNames<S extends NamedServer>(servers: readonly S[]): ServerOfClients<S>[] {
  const all = servers.map(server => ({ name: clientName(server.definition.label), server }));
  const isShared = (name: string) => all.filter(one => one.name === name).length > 1;
  return all.filter(({ name }) => !isShared(name));
}

/**
 * The name under which the editor knows a server. If several servers have one name in any letter
 * case, VS Code switches off all but one. An extension can't see other names (in `mcp.json`, files
 * of other clients, other extensions), so this name has an ending that no other server has.
 */
export function editorName(name: string): string {
  return `${name} (MCP Roots)`;
}

/** Returns the label, if clients can use it, or else the label's start and a hash. */
function clientName(label: string): string {
  if (label.length <= longestName && plain.test(label)) {
    return label;
  }
  const words = label.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '').replace(/\s+/g, '-');
  const start = ownName(words).replace(/[^a-z0-9]+/g, '-');
  const hex = createHash('sha256').update(label).digest('hex').slice(0, 12);
  const hash = Number.parseInt(hex, 16).toString(36).slice(-hashLength);
  return `${start.slice(0, longestName - hashLength - 1).replace(/-$/, '')}_${hash}`;
}

/** One in two billion labels shares a hash. A longer hash would leave no room for words. */
const hashLength = 6;

/** Labels that clients can use. A label that looks like a name with a hash gets a hash, too. */
const plain = /^(?!.*_[a-z0-9]{6}$)[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/;
