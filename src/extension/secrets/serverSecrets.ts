import type * as vscode from '../vscode.ts';

/** A server as it is. */
export interface SecretOwner {
  readonly serverId: string;
  readonly identity: string;
}

/** Secrets of one server, by name. */
export interface SecretStore {
  get(name: string): Promise<string | undefined>;
  /** @param value `undefined` removes it. */
  set(name: string, value: string | undefined): Promise<void>;
}

/** Where this workspace notes, by the id of a server, for which identity it last kept secrets. */
const ownersKey = 'secretOwners';

/**
 * The values that the user entered for servers and the tokens of their sign-ins, in the editor's
 * secret storage. Each secret is kept for one server as it is (its identity): a server whose command,
 * arguments or URL changed, or of the same name in another workspace, gets none of them.
 */
export class ServerSecrets {
  private readonly storage: Omit<vscode.SecretStorage, 'onDidChange'>;
  private readonly workspace: Pick<vscode.Memento, 'get' | 'update'>;

  constructor(
    storage: Omit<vscode.SecretStorage, 'onDidChange'>,
    workspace: Pick<vscode.Memento, 'get' | 'update'>,
  ) {
    this.storage = storage;
    this.workspace = workspace;
  }

  /** Keeping a secret removes the secrets of the server's former identity in this workspace. */
  of(owner: SecretOwner): SecretStore {
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

  /** The names of its secrets. */
  async namesOf(owner: SecretOwner): Promise<string[]> {
    const start = prefix(owner);
    const keys = await this.storage.keys();
    return keys.flatMap(key => (key.startsWith(start) ? key.slice(start.length) : []));
  }

  /**
   * Removes all secrets of the servers of this id: of former identities and of other workspaces, too,
   * unless only those of one identity are meant. Resolves to how many there were.
   */
  async forget(serverId: string, identity?: string): Promise<number> {
    const end = ownerOf(serverId);
    const { [serverId]: _, ...owners } = this.owners;
    await this.workspace.update(ownersKey, owners);
    return this.remove(key =>
      key.slice(identity === undefined ? key.indexOf(':') : 0).startsWith((identity ?? '') + end),
    );
  }

  /** Removes the secrets of its former identity here. Other workspaces may use the id: theirs stay. */
  private async replaceFormer(owner: SecretOwner): Promise<void> {
    const { owners } = this;
    const former = owners[owner.serverId];
    if (former === owner.identity) {
      return;
    }
    if (typeof former === 'string') {
      const start = prefix({ ...owner, identity: former });
      await this.remove(key => key.startsWith(start));
    }
    await this.workspace.update(ownersKey, { ...owners, [owner.serverId]: owner.identity });
  }

  private get owners(): Readonly<Record<string, unknown>> {
    return this.workspace.get(ownersKey, {});
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

/** How the keys of the secrets of one server begin. An identity has no colon in it. */
function prefix({ serverId, identity }: SecretOwner): string {
  return identity + ownerOf(serverId);
}

function ownerOf(serverId: string): string {
  return `:${JSON.stringify(serverId)}:`;
}
