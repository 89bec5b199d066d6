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
import { foldersOnDisk } from './folders/foldersOnDisk.ts';
import { Setting } from './ids.ts';
import * as vscode from './vscode.ts';

/** The user's settings, read afresh each time: the editor keeps them current. */
export const settings = {
  /** Whether servers start with the window, as far as the user already answered. */
  get autoStart(): boolean {
    // No workspace and no remote machine switches on what the user has switched off.
    const { globalLocalValue, globalValue } = inspect(Setting.autoStart);
    return ![globalLocalValue, globalValue].includes(false) && read(Setting.autoStart) === true;
  },

  /** Whether the bundled server offers the tools that write. */
  get allowWrite(): boolean {
    return read(Setting.allowWrite) === true;
  },

  /** Whose settings let the bundled server write, as long as any do. */
  get writeAllowedBy(): Pick<ServerDefinition, 'from' | 'isOfMachine'> {
    const { globalLocalValue, globalValue } = inspect(Setting.allowWrite);
    // The editor merges a remote machine's settings, which a container can bring, into the user's.
    const isOfMachine = globalLocalValue !== true;
    return globalValue === true ? { from: 'user', isOfMachine } : { from: 'workspace' };
  },

  /** Whether the bundled server is kept in its folders by the system, where that can be had. */
  get isBundledSandboxed(): boolean {
    return ofUser(Setting.bundledSandbox) !== 'off';
  },

  /** Whether every JSON-RPC message is written to the server's log. */
  get trace(): boolean {
    return ofUser(Setting.trace) === true;
  },

  /** The servers of user and workspace, and those that a mistake leaves out. */
  get definitions(): Pick<JoinedServers, 'servers' | 'leftOut'> {
    return readServers();
  },

  /**
   * The defined inputs, which say how the user is asked for their values. For a server of the user's
   * only the user defines them: otherwise a workspace could prepare the values that it is given.
   */
  inputsFor(from: ServerDefinition['from']): readonly InputDefinition[] {
    return readInputs(from !== 'user');
  },

  /** Folders outside of the workspace that may become roots. */
  get extraFolders(): ReadPaths {
    return readPaths(Setting.extraFolders, read(Setting.extraFolders) ?? [], pathContext());
  },

  /** The folders to leave out, as the user and the workspace name them together. */
  get excludeFolders(): ReadExclusion {
    // Of a list, the editor takes that of a remote machine in place of the user's.
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

  /** The proxy of the editor itself, unless extensions are not to use it. */
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

  /** The editor's own rules on MCP servers; none in editors without these settings. */
  get rules(): readonly EditorRules[] {
    return rulesIn(vscode.workspace.getConfiguration('chat.mcp'));
  },

  /** The mistakes in the settings. A wrong switch is off, and a wrong server is left out. */
  get problems(): readonly SettingsProblem[] {
    return [
      ...problemsIn('user', writtenIn('globalValue')),
      ...(isTrusted() ? problemsIn('workspace', writtenIn('workspaceValue')) : []),
    ];
  },
};

/** Whose settings: each scope is read by itself. */
export type SettingsScope = 'user' | 'workspace';

/** A mistake in settings; its place begins with the name of the setting. */
export interface SettingsProblem extends Mistake {
  readonly from: SettingsScope;
}

/** Settings of one scope, by their ids. */
export type WrittenSettings = Readonly<Record<string, unknown>>;

/** The mistakes in these settings, and of those of a workspace what cannot stand beside the user's. */
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
      const text = sentence('The setting {0} must be true or false. It is off until then.', id);
      return typeof value === 'boolean' ? [] : [plainMistake([], text)];
    }
  }
}

function writtenIn(scope: 'globalValue' | 'workspaceValue'): WrittenSettings {
  return Object.fromEntries(readSettings.map(id => [id, inspect(id)[scope]]));
}

/**
 * The servers of the user and of the workspace. The editor would merge the two settings key by key,
 * so that a workspace could add a variable to a server of the user's: here each stays as written.
 * Those of a remote machine, which a container's definition can give, it has merged into the user's.
 */
function readServers(ofWorkspace = inspect(Setting.servers).workspaceValue): JoinedServers {
  const around = surroundings();
  const user = readServerSettings(ofUser(Setting.servers) ?? {}, around);
  const workspace = readServerSettings((isTrusted() && ofWorkspace) || {}, around);
  const { globalRemoteValue } = inspect(Setting.servers);
  return joinServers(user, workspace, Object.keys(Object(globalRemoteValue)));
}

/** The folders that variables in a definition refer to in this window. */
export function surroundings(): Surroundings {
  return { folders: foldersOnDisk(), userHome: homedir() };
}

function isTrusted(): boolean {
  return vscode.workspace.isTrusted;
}

/** The inputs of the workspace, and the user's inputs that the workspace does not define anew. */
function readInputs(withWorkspace: boolean): readonly InputDefinition[] {
  const { globalValue, workspaceValue } = inspect(Setting.inputs);
  const own = readInputSettings((withWorkspace && isTrusted() && workspaceValue) || []);
  const user = readInputSettings(globalValue ?? []);
  const ids = new Set(own.inputs.map(({ id }) => id));
  return [...own.inputs, ...user.inputs.filter(({ id }) => !ids.has(id))];
}

function read(id: string): unknown {
  return vscode.workspace.getConfiguration().get(id);
}

/**
 * The value that the user or this machine gives. The editor limits these settings to the application
 * or the machine already; even if it did not, no workspace could lead servers to a proxy of its own, or
 * out of a sandbox.
 */
function ofUser(id: string): unknown {
  return inspect(id).globalValue;
}

function inspect(id: string): Inspected {
  return vscode.workspace.getConfiguration().inspect<unknown>(id) ?? {};
}

/** The values of a setting; the editor's typings leave two of them out. */
type Inspected = Partial<
  Record<`${'default' | `global${'' | 'Local' | 'Remote'}` | 'workspace'}Value`, unknown>
>;

/** The rules for paths on this machine. */
export function pathContext(): PathContext {
  const { platform } = process;
  const isKnown = platform === 'win32' || platform === 'darwin';
  return { home: homedir(), platform: isKnown ? platform : 'linux' };
}
