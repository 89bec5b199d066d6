import { Emitter } from '../../src/base/emitter.ts';
import { PublishedServers } from '../../src/extension/gateway/publishedServers.ts';
import type { Server } from '../../src/extension/servers/server.ts';

/** What of a server decides on whether it is published. */
export interface PublishableServer {
  readonly definition: { readonly id: string; readonly label: string };
  readonly identity: string;
  readonly isOffered: boolean;
  readonly isLaunchAllowed: boolean;
  readonly access: { readonly roots: readonly object[] };
}

/** A server of that label that is published as it is. */
export function publishable(
  label: string,
  changed: Partial<PublishableServer> = {},
): PublishableServer {
  const consented = { isOffered: true, isLaunchAllowed: true, access: { roots: [{}] } };
  return { definition: { id: label, label }, identity: 'a1', ...consented, ...changed };
}

/** A window whose servers are others when a test says so. */
export class PublishingWindow {
  isTrusted = true;
  readonly published: PublishedServers;
  private readonly didChange = new Emitter<Server | undefined>();
  private servers: readonly PublishableServer[];

  constructor(...servers: readonly PublishableServer[]) {
    this.servers = servers;
    const all = () => this.servers as unknown as readonly Server[];
    const source = {
      get all() {
        return all();
      },
      onDidChange: this.didChange.event,
    };
    this.published = new PublishedServers(source, () => this.isTrusted);
  }

  /** Has these servers from now on. */
  now(...servers: readonly PublishableServer[]): void {
    this.servers = servers;
    this.didChange.fire(undefined);
  }
}
