import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { IDisposable } from '../../base/disposable.ts';
import { within } from '../../base/within.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import {
  bindsContents,
  type IdentityFields,
  launchFields,
  type Seal,
  sealOfContents,
  sealWith,
} from '../../domain/servers/serverIdentity.ts';
import { envFileOf } from '../../domain/variables/variables.ts';
import { bundledFields, bundledServerId } from './bundledServer.ts';

const keyName = 'identityKey';
/** Longer files are none of variables, and a disk that hangs is not waited for. */
const mostBytes = 1024 * 1024;
const patience = 3000;
/** What is bound as long as nobody could read the file: nothing was ever agreed to under that. */
const unread = 'unread';

/**
 * What each server is, as consent is bound to it. Hidden values are bound by hashes with a key of
 * this installation. What environment files hold is read when a server is asked about or started.
 */
export class ServerIdentities implements IDisposable {
  private readonly seal: Seal;
  private readonly contents = new Map<string, string>();
  private readonly didChange = new vscode.EventEmitter<void>();

  /** An environment file holds something else than before. */
  readonly onDidChange = this.didChange.event;

  /** @param state of all workspaces and windows; the key is kept there. */
  constructor(state: Pick<vscode.Memento, 'get' | 'update'>) {
    this.seal = sealWith(keyIn(state));
  }

  fieldsOf(definition: ServerDefinition): IdentityFields {
    if (definition.id === bundledServerId) {
      return bundledFields(definition);
    }
    const path = envFileOf(definition.launch, process.env);
    const envFileSeal = path === undefined ? undefined : (this.contents.get(path) ?? unread);
    const origin = definition.from === 'workspace' ? `workspace ${workspaceUri()}` : 'user';
    return launchFields(definition.launch, { origin, seal: this.seal, envFileSeal });
  }

  /** Reads the environment files of these servers again. Never rejects. */
  async refresh(definitions: readonly ServerDefinition[]): Promise<void> {
    const paths = definitions.flatMap(({ launch }) => envFileOf(launch, process.env) ?? []);
    const found = await Promise.all(
      [...new Set(paths)].map(async path => {
        const text = await within(textOf(path), patience, undefined);
        return [path, text === undefined ? unread : sealOfContents(text, this.seal)] as const;
      }),
    );
    const isNew = found.some(([path, seal]) => this.contents.get(path) !== seal);
    for (const [path, seal] of found) {
      this.contents.set(path, seal);
    }
    if (isNew) {
      this.didChange.fire();
    }
  }

  /** Whether what an environment file holds is what these fields bind. */
  binds(fields: IdentityFields, envFileText: string): boolean {
    return bindsContents(fields, sealOfContents(envFileText, this.seal));
  }

  dispose(): void {
    this.didChange.dispose();
  }
}

/** Made once per installation. It hides values from who reads stored answers without the settings. */
function keyIn(state: Pick<vscode.Memento, 'get' | 'update'>): string {
  const known = state.get<unknown>(keyName);
  if (typeof known === 'string' && known !== '') {
    return known;
  }
  const key = randomBytes(32).toString('hex');
  void state.update(keyName, key);
  return key;
}

/** What tells this workspace from others: its file, or the folder that is open alone. */
function workspaceUri(): string {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  return (workspaceFile ?? workspaceFolders[0]?.uri)?.toString() ?? '';
}

/** `undefined` when it can't be read, or is no plain file of a sensible size. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      return stats.isFile() && stats.size <= mostBytes ? await file.readFile('utf8') : undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined; // The start says why: it needs the file.
  }
}
