import type { HubServer } from '../../../domain/hub/hubServer.ts';
import { printable } from '../../../domain/printable.ts';

/** What a configuration says of its servers. */
export interface SaidOfServers {
  readonly config: { readonly servers: readonly HubServer[] };
  /** Each server as it is written. It holds secrets. */
  readonly entries: ReadonlyMap<string, string>;
  /** The servers that are kept for later, by their names. */
  readonly switchedOff: readonly string[];
  /** Why servers that are written are not among them, by their names. */
  readonly leftOut: ReadonlyMap<string, string>;
}

/** What became of each server from one configuration to the next, in finished sentences. */
export function serverChanges(before: SaidOfServers, now: SaidOfServers): readonly string[] {
  const [old, current] = [byName(before), byName(now)];
  const changed = [...current.values()].flatMap(server => {
    const { name } = server;
    const previous = old.get(name);
    if (!previous) {
      return `${shown(name)} was added.`;
    }
    if (previous.fingerprint !== server.fingerprint) {
      return `${shown(name)} has changed: it ends, and starts as it is now.`;
    }
    return before.entries.get(name) === now.entries.get(name)
      ? []
      : `${shown(name)} has changed, and runs on.`;
  });
  const gone = [...old.keys()].filter(name => !current.has(name));
  return [...changed, ...gone.map(name => `${shown(name)} ${fateOf(name, now)}.`)];
}

function fateOf(name: string, { leftOut, switchedOff }: SaidOfServers): string {
  if (leftOut.has(name)) {
    return 'is left out';
  }
  return switchedOff.includes(name) ? 'is switched off' : 'was taken out';
}

function byName({ config }: SaidOfServers): ReadonlyMap<string, HubServer> {
  return new Map(config.servers.map(server => [server.name, server]));
}

function shown(name: string): string {
  return `"${printable(name.slice(0, 100))}"`;
}
