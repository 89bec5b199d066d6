import { homedir } from 'node:os';
import {
  type PathContext,
  type ReadExclusion,
  type ReadPaths,
  readExclusion,
  readForbidden,
  readPaths,
} from '../domain/folders/folderSettings.ts';
import { sentence } from '../domain/sentence.ts';
import { type EditorRules, rulesIn } from '../domain/servers/editorRules.ts';
import type { EditorProxy } from '../domain/servers/proxies.ts';
import type { ServerDefinition } from '../domain/servers/serverDefinition.ts';
import type { Surroundings } from '../domain/settings/definitionVariables.ts';
import { type InputDefinition, readInputSettings } from '../domain/settings/inputs.ts';
import { type Mistake, placedIn, plainMistake } from '../domain/settings/mistakes.ts';
import {
  type JoinedServers,
  joinServers,
  readServerSettings,
} from '../domain/settings/serverSettings.ts';
import { foldersOnDisk } from './foldersOnDisk.ts';
import { Setting } from './ids.ts';
import * as vscode from './vscode.ts';

/** The user's settings, read afresh each time: the editor keeps them current. */
export const settings = {
  /** Whether servers start with the window, if the user has already answered about them. */
  get autoStart(): boolean {
    // No workspace and no remote machine can switch on what the user has switched off.
    const { globalLocalValue, globalValue } = inspect(Setting.autoStart);
    return ![globalLocalValue, globalValue].includes(false) && read(Setting.autoStart) === true;
  },

  /** Whether the bundled server offers the tools that write. */
  get allowWrite(): boolean {
    return read(Setting.allowWrite) === true;
  },

  /** Where the permission to write comes from. Only valid while `allowWrite` is true. */
  get writeAllowedBy(): Pick<ServerDefinition, 'from' | 'isOfMachine'> {
    const { globalLocalValue, globalValue } = inspect(Setting.allowWrite);
    // The editor merges a remote machine's settings, which a container can bring, into the user's.
    const isOfMachine = globalLocalValue !== true;
    return globalValue === true ? { from: 'user', isOfMachine } : { from: 'workspace' };
  },

  /** Whether the system keeps the bundled server in its folders, where a sandbox is available. */
  get isBundledSandboxed(): boolean {
    return ofUser(Setting.bundledSandbox) !== 'off';
  },

  /** Whether every JSON-RPC message is written to the server's log. */
  get trace(): boolean {
    return ofUser(Setting.trace) === true;
  },

  /** The servers of user and workspace, and the servers that a mistake leaves out. */
  get definitions(): Pick<JoinedServers, 'servers' | 'leftOut'> {
    return readServers();
  },

  /**
   * The defined inputs, which say how the user is asked for their values. Only the user defines inputs
   * for the user's servers: otherwise a workspace could prepare the values that a server is given. For
   * its own servers, the workspace may redefine them.
   */
  inputsFor(from: ServerDefinition['from']): readonly InputDefinition[] {
    const { globalValue, workspaceValue } = inspect(Setting.inputs);
    const isAsked = from !== 'user' && vscode.workspace.isTrusted;
    const own = readInputSettings((isAsked && workspaceValue) || []);
    const user = readInputSettings(globalValue ?? []);
    const ids = new Set(own.inputs.map(({ id }) => id));
    return [...own.inputs, ...user.inputs.filter(({ id }) => !ids.has(id))];
  },

  /** Folders outside of the workspace that may become roots. */
  get extraFolders(): ReadPaths {
    return readPaths(Setting.extraFolders, read(Setting.extraFolders) ?? [], pathContext());
  },

  /** The folders to exclude, from the user's and the workspace's lists together. */
  get excludeFolders(): ReadExclusion {
    // For a list, the editor replaces the user's value by that of a remote machine.
    const { globalLocalValue, globalValue, workspaceValue } = inspect(Setting.excludeFolders);
    const all = [globalLocalValue, globalValue, workspaceValue].flatMap(list => list ?? []);
    return readExclusion(Setting.excludeFolders, all, pathContext());
  },

  /** The paths that must never become roots. */
  get neverExpose(): ReadPaths {
    const value = read(Setting.neverExpose);
    const fallback = inspect(Setting.neverExpose).defaultValue;
    return readForbidden(Setting.neverExpose, { value, fallback }, pathContext());
  },

  /** The proxy of the editor itself, unless extensions should not use it. */
  get proxy(): EditorProxy {
    const [url, exceptions] = ['http.proxy', 'http.noProxy'].map(ofUser);
    const isOff = ofUser('http.proxySupport') === 'off';
    return {
      url: typeof url === 'string' && !isOff ? url.trim() : '',
      exceptions: Array.isArray(exceptions)
        ? exceptions.filter(one => typeof one === 'string')
        : [],
    };
  },

  /** The editor's own rules on MCP servers; empty in editors without these settings. */
  get rules(): readonly EditorRules[] {
    return rulesIn(vscode.workspace.getConfiguration('chat.mcp'));
  },

  /** The mistakes in the settings. A wrong switch counts as off, and a wrong server is left out. */
  get problems(): readonly SettingsProblem[] {
    return [
      ...problemsIn('user', writtenIn('globalValue')),
      ...(vscode.workspace.isTrusted ? problemsIn('workspace', writtenIn('workspaceValue')) : []),
    ];
  },
};

/** The scope of settings: each is read separately. */
export type SettingsScope = 'user' | 'workspace';

/** A mistake in settings; its place begins with the name of the setting. */
export interface SettingsProblem extends Mistake {
  readonly from: SettingsScope;
}

/** Settings of one scope, by their ids. */
export type WrittenSettings = Readonly<Record<string, unknown>>;

/** The mistakes in these settings; for a workspace, also its servers that clash with the user's. */
export function problemsIn(
  from: SettingsScope,
  written: WrittenSettings,
): readonly SettingsProblem[] {
  const mistakes = readSettings.flatMap(id =>
    written[id] === undefined ? [] : placedIn([id], problemsOf(id, written[id])),
  );
  const servers = written[Setting.servers];
  const clashes = from === 'workspace' && servers ? readServers(servers).clashes : [];
  return [...mistakes, ...placedIn([Setting.servers], clashes)].map(one => ({ ...one, from }));
}

/** The settings that can hold a mistake. */
const readSettings = [
  Setting.autoStart,
  Setting.trace,
  Setting.allowWrite,
  Setting.servers,
  Setting.extraFolders,
  Setting.excludeFolders,
  Setting.neverExpose,
  Setting.inputs,
] as const;

function problemsOf(id: (typeof readSettings)[number], value: unknown): readonly Mistake[] {
  switch (id) {
    case Setting.servers:
      return readServerSettings(value, surroundings()).problems;
    case Setting.inputs:
      return readInputSettings(value).problems;
    case Setting.excludeFolders:
      return readExclusion(id, value, pathContext()).problems;
    case Setting.extraFolders:
    case Setting.neverExpose:
      return readPaths(id, value, pathContext()).problems;
    default: {
      const text = sentence(
        'The setting {0} must be true or false. Another value counts as off.',
        id,
      );
      return typeof value === 'boolean' ? [] : [plainMistake([], text)];
    }
  }
}

function writtenIn(scope: 'globalValue' | 'workspaceValue'): WrittenSettings {
  return Object.fromEntries(readSettings.map(id => [id, inspect(id)[scope]]));
}

/**
 * The servers of the user and of the workspace, each as written. The editor would merge both settings
 * key by key, so that a workspace could add a variable to a user's server. The editor has merged a
 * remote machine's servers, which a container's definition can set, into the user's.
 */
function readServers(ofWorkspace = inspect(Setting.servers).workspaceValue): JoinedServers {
  const around = surroundings();
  const user = readServerSettings(ofUser(Setting.servers) ?? {}, around);
  const workspace = readServerSettings((vscode.workspace.isTrusted && ofWorkspace) || {}, around);
  const { globalRemoteValue } = inspect(Setting.servers);
  return joinServers(user, workspace, Object.keys(Object(globalRemoteValue)));
}

/** The folders that variables in a definition refer to in this window. */
export function surroundings(): Surroundings {
  return { folders: foldersOnDisk(), userHome: homedir() };
}

function read(id: string): unknown {
  return vscode.workspace.getConfiguration().get(id);
}

/**
 * The value that the user or this machine gives. The editor already limits these settings to the
 * application or the machine. Even if it did not, no workspace could give servers its own proxy, or
 * switch off a sandbox.
 */
function ofUser(id: string): unknown {
  return inspect(id).globalValue;
}

function inspect(id: string): Inspected {
  return vscode.workspace.getConfiguration().inspect<unknown>(id) ?? {};
}

/** The values of a setting. The editor's typings leave two of them out. */
type Inspected = Partial<
  Record<`${'default' | `global${'' | 'Local' | 'Remote'}` | 'workspace'}Value`, unknown>
>;

/** The rules for paths on this machine. */
export function pathContext(): PathContext {
  const { platform } = process;
  const isKnown = platform === 'win32' || platform === 'darwin';
  return { home: homedir(), platform: isKnown ? platform : 'linux' };
}
