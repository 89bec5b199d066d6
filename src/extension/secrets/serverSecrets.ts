import type * as vscode from 'vscode';

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

/**
 * What the user entered for servers and what they were signed in with, in the editor's secret
 * storage. Each secret is kept for one server as it is (its identity): one whose command, arguments
 * or URL changed, and one of the same name in another workspace, gets none of it.
 */
export class ServerSecrets {
  private readonly storage: Omit<vscode.SecretStorage, 'onDidChange'>;

  constructor(storage: Omit<vscode.SecretStorage, 'onDidChange'>) {
    this.storage = storage;
  }

  of(owner: SecretOwner): SecretStore {
    const key = (name: string) => prefix(owner) + name;
    return {
      get: async name => this.storage.get(key(name)),
      set: async (name, value) =>
        value === undefined ? this.storage.delete(key(name)) : this.storage.store(key(name), value),
    };
  }

  /** Removes all secrets of a server. Settles in how many there were. */
  async forget(owner: SecretOwner): Promise<number> {
    const keys = await this.storage.keys();
    const own = keys.filter(key => key.startsWith(prefix(owner)));
    await Promise.all(own.map(key => this.storage.delete(key)));
    return own.length;
  }
}

/** The name under which the value of `${input:id}` is kept. */
export function inputSecret(id: string): string {
  return `input:${id}`;
}

function prefix({ serverId, identity }: SecretOwner): string {
  return `${identity}:${JSON.stringify(serverId)}:`;
}
