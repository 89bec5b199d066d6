import { Emitter } from '../../src/base/emitter.ts';
import type { Access } from '../../src/domain/consent/folderAccess.ts';
import type { ExclusionReason } from '../../src/domain/consent/statusWords.ts';
import { diskFolder } from '../../src/domain/folders/folders.ts';
import { PublishedServers } from '../../src/extension/gateway/agents/publishedServers.ts';
import type { Server } from '../../src/extension/servers/server.ts';

/** What of a server decides on whether it is published. */
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
export function accessOf(exclusion?: ExclusionReason): Access {
  const folder = diskFolder('/proj/api', 'api', 'directory', 'linux');
  const root = { uri: folder.uri, name: folder.name };
  return {
    folders: [exclusion ? { folder, notes: [], exclusion } : { folder, notes: [], root }],
    roots: exclusion ? [] : [root],
    waiting: exclusion === 'undecided' ? [folder] : [],
    isRefused: exclusion === 'denied',
  };
}

/** A window whose servers are others when a test says so. */
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
