import { randomBytes } from 'node:crypto';
import { DiskLooks } from '../../base/diskLooks.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { within } from '../../base/timeLimit.ts';
import { envFileOf } from '../../domain/servers/expandLaunch.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import {
  bindsContents,
  type IdentityFields,
  launchFields,
  originOf,
  type Seal,
  sealOfContents,
  sealWith,
} from '../../domain/servers/serverIdentity.ts';
import { pathsOnDisk } from '../foldersOnDisk.ts';
import { settings } from '../settings.ts';
import * as vscode from '../vscode.ts';
import { bundledFields, bundledServerId } from './bundledServer.ts';
import { loadClient } from './loadClient.ts';

const keyName = 'identityKey';
/** How many milliseconds a disk has to read an environment file. */
const patience = 3000;
/**
 * Stands for the contents of an `envFile` that was not read. Consent to it starts nothing, because
 * the start reads the file and compares the contents.
 */
const unread = 'unread';

/**
 * The identities of servers, which consent covers. Hidden values are in them as hashes, with a key
 * of this installation. Environment files are read before a question or a start.
 */
export class ServerIdentities implements IDisposable {
  private readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  private readonly contents = new Map<string, string>();
  private readonly looks = new DiskLooks(async path =>
    (await loadClient()).readPlainFile(path, pathsOnDisk()),
  );
  private readonly didChange = new vscode.EventEmitter<void>();

  /** Fires when the contents of an environment file have changed. */
  readonly onDidChange = this.didChange.event;

  /** @param state the state of all workspaces and windows. It holds the key of the hashes. */
  constructor(state: Pick<vscode.Memento, 'get' | 'update'>) {
    this.state = state;
  }

  fieldsOf(definition: ServerDefinition): IdentityFields {
    const { id, launch } = definition;
    const workspace = workspaceUri();
    if (id === bundledServerId) {
      const fields = bundledFields(definition);
      const setBy = originOf(settings.writeAllowedBy, workspace);
      return settings.allowWrite && setBy !== 'user' ? { ...fields, setBy } : fields;
    }
    const path = envFileOf(launch, process.env);
    const envFileSeal = path === undefined ? undefined : (this.contents.get(path) ?? unread);
    const origin = originOf(definition, workspace);
    return launchFields(launch, { ...definition, origin, seal: this.seal, envFileSeal });
  }

  /** Reads the environment files of these servers again. Never rejects. */
  async refresh(definitions: readonly ServerDefinition[]): Promise<void> {
    const paths = definitions.flatMap(({ launch }) => envFileOf(launch, process.env) ?? []);
    const found = await Promise.all(
      [...new Set(paths)].map(async path => {
        const { text } = (await within(this.looks.at(path), patience, undefined)) ?? {};
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

  /** True if these fields cover these contents of the environment file. */
  binds(fields: IdentityFields, envFileText: string): boolean {
    return bindsContents(fields, sealOfContents(envFileText, this.seal));
  }

  dispose(): void {
    this.didChange.dispose();
  }

  /** Reads the key each time: windows that open together each make one, and the last key stays. */
  private get seal(): Seal {
    return sealWith(keyIn(this.state));
  }
}

/** The key of the hashes, made once. Without a key, others could test guesses of hidden values. */
function keyIn(state: Pick<vscode.Memento, 'get' | 'update'>): string {
  const known = state.get<unknown>(keyName);
  if (typeof known === 'string' && known !== '') {
    return known;
  }
  const key = randomBytes(32).toString('hex');
  void state.update(keyName, key);
  return key;
}

/** The URI of this workspace: its file, or its only folder. Empty if no folder is open. */
function workspaceUri(): string {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  return (workspaceFile ?? workspaceFolders[0]?.uri)?.toString() ?? '';
}
