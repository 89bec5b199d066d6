import { Emitter } from '../../src/base/emitter.ts';
import type { Access } from '../../src/domain/consent/folderAccess.ts';
import type { ExclusionReason } from '../../src/domain/consent/statusWords.ts';
import { PublishedServers } from '../../src/extension/gateway/agents/publishedServers.ts';
import type { Server } from '../../src/extension/servers/server.ts';
import { allowed, exclusion, folder, accessOf as seeing } from './shownServer.ts';

/** The facts of a server that decide whether it is published. */
export interface PublishableServer {
  readonly definition: { readonly id: string; readonly label: string };
  readonly identity: string;
  readonly isOffered: boolean;
  readonly isLaunchAllowed: boolean;
  readonly access: Access;
}

/** A server of that label that is published as it is. */
export function publishable(
  label: string,
  changed: Partial<PublishableServer> = {},
): PublishableServer {
  const consented = { isOffered: true, isLaunchAllowed: true, access: accessOf() };
  return { definition: { id: label, label }, identity: 'a1', ...consented, ...changed };
}

/** The access to one folder that is allowed, or is not for a reason. */
export function accessOf(reason?: ExclusionReason): Access {
  const api = folder('api');
  const access = seeing(reason ? exclusion(api, reason) : allowed(api));
  return { ...access, isRefused: reason === 'denied', needsFolder: true };
}

/** A window with servers that a test can change. */
export class PublishingWindow {
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
    this.published = new PublishedServers(source);
  }

  /** Has these servers from now on. */
  now(...servers: readonly PublishableServer[]): void {
    this.servers = servers;
    this.didChange.fire(undefined);
  }
}
