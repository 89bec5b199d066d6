import type { SecretStore } from '../../mcp/process/oauth/authorization.ts';
import type * as vscode from '../vscode.ts';
import type { RecordedServer, ServerRecords } from './serverRecords.ts';

type Owner = Pick<RecordedServer, 'definition' | 'identity'>;

/**
 * The values that the user entered for servers, and the tokens of sign-ins, in the editor's secret
 * storage. Each secret belongs to one identity of a server. When the command, arguments or URL have
 * changed, the server can't read it. Nor can a server of the same name in another workspace.
 */
export class ServerSecrets {
  private readonly storage: Omit<vscode.SecretStorage, 'onDidChange'>;
  private readonly records: Pick<ServerRecords, 'of' | 'set'>;

  constructor(
    storage: Omit<vscode.SecretStorage, 'onDidChange'>,
    records: Pick<ServerRecords, 'of' | 'set'>,
  ) {
    this.storage = storage;
    this.records = records;
  }

  /** A server's secrets. Storing one removes this workspace's secrets of the earlier identity. */
  of(owner: Owner): SecretStore {
    const key = (name: string) => prefix(owner) + name;
    return {
      get: async name => this.storage.get(key(name)),
      set: async (name, value) => {
        if (value === undefined) {
          return this.storage.delete(key(name));
        }
        await this.storage.store(key(name), value);
        await this.replaceFormer(owner);
      },
    };
  }

  async namesOf(owner: Owner): Promise<string[]> {
    const start = prefix(owner);
    const keys = await this.storage.keys();
    return keys.flatMap(key => (key.startsWith(start) ? key.slice(start.length) : []));
  }

  /**
   * Moves the secrets to another owner. The new owner has them before `change` runs.
   *
   * @throws what `change` throws. In this case, the new owner has no secrets.
   */
  async move(from: Owner, to: Owner, change: () => Promise<void>): Promise<void> {
    const names = await this.namesOf(from);
    try {
      for (const name of names) {
        const value = await this.of(from).get(name);
        await (value !== undefined && this.storage.store(prefix(to) + name, value));
      }
      await change();
    } catch (error) {
      await this.removeOf(to);
      throw error;
    }
    await (names.length > 0 && this.noteOwner(to, true));
    await this.removeOf(from);
  }

  /**
   * Removes all secrets of servers with this id, also of earlier identities and in all workspaces.
   * With `identity`, removes only that identity's secrets. Resolves to the number of removed ones.
   */
  async forget(serverId: string, identity?: string): Promise<number> {
    const end = ownerOf(serverId);
    await this.noteOwner({ definition: { id: serverId }, identity: '' }, false);
    return this.remove(key =>
      key.slice(identity === undefined ? key.indexOf(':') : 0).startsWith((identity ?? '') + end),
    );
  }

  /** Removes this workspace's secrets of the earlier identity. Other workspaces keep theirs. */
  private async replaceFormer(owner: Owner): Promise<void> {
    const [former] = this.records.of('secrets', owner.definition.id);
    if (former?.identity === owner.identity) {
      return;
    }
    await (former && this.removeOf({ ...owner, identity: former.identity }));
    await this.noteOwner(owner, true);
  }

  /** Notes in this workspace which identity of a server has secrets. */
  private noteOwner({ definition, identity }: Owner, hasSecrets: boolean): Promise<void> {
    return this.records.set({
      kind: 'secrets',
      serverId: definition.id,
      identity,
      about: '',
      value: hasSecrets || undefined,
    });
  }

  private removeOf(owner: Owner): Promise<number> {
    return this.remove(key => key.startsWith(prefix(owner)));
  }

  private async remove(isMeant: (key: string) => boolean): Promise<number> {
    const keys = await this.storage.keys();
    const meant = keys.filter(isMeant);
    await Promise.all(meant.map(key => this.storage.delete(key)));
    return meant.length;
  }
}

/** The name of the secret that holds the value of `${input:id}`. */
export function inputSecret(id: string): string {
  return `input:${id}`;
}

/** The start of the keys of one server's secrets. An identity contains no colon. */
function prefix({ definition, identity }: Owner): string {
  return identity + ownerOf(definition.id);
}

function ownerOf(serverId: string): string {
  return `:${JSON.stringify(serverId)}:`;
}
