import type { KnownServer, ServerRecords } from '../servers/serverRecords.ts';
import type * as vscode from '../vscode.ts';

type Owner = Pick<KnownServer, 'definition' | 'identity'>;

/** Secrets of one server, by name. */
export interface SecretStore {
  get(name: string): Promise<string | undefined>;
  /** @param value `undefined` removes it. */
  set(name: string, value: string | undefined): Promise<void>;
}

/**
 * The values that the user entered for servers and the tokens of their sign-ins, in the editor's
 * secret storage. Each secret is kept for one server as it is (its identity): a server whose command,
 * arguments or URL changed, or of the same name in another workspace, gets none of them.
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

  /** Keeping a secret removes the secrets of the server's former identity in this workspace. */
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
   * Has another owner have these secrets, from before `change` makes it what it is.
   *
   * @throws what `change` throws; the other owner has none then.
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
   * Removes all secrets of the servers of this id: of former identities and of other workspaces, too,
   * unless only those of one identity are meant. Resolves to how many there were.
   */
  async forget(serverId: string, identity?: string): Promise<number> {
    const end = ownerOf(serverId);
    await this.noteOwner({ definition: { id: serverId }, identity: '' }, false);
    return this.remove(key =>
      key.slice(identity === undefined ? key.indexOf(':') : 0).startsWith((identity ?? '') + end),
    );
  }

  /** Removes the secrets of its former identity here. Other workspaces may use the id: theirs stay. */
  private async replaceFormer(owner: Owner): Promise<void> {
    const [former] = this.records.of('secrets', owner.definition.id);
    if (former?.identity === owner.identity) {
      return;
    }
    await (former && this.removeOf({ ...owner, identity: former.identity }));
    await this.noteOwner(owner, true);
  }

  /** In this workspace: for which identity of a server it has secrets. */
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

/** The name under which the value of `${input:id}` is kept. */
export function inputSecret(id: string): string {
  return `input:${id}`;
}

/** The beginning of the keys of one server's secrets. An identity has no colon in it. */
function prefix({ definition, identity }: Owner): string {
  return identity + ownerOf(definition.id);
}

function ownerOf(serverId: string): string {
  return `:${JSON.stringify(serverId)}:`;
}
