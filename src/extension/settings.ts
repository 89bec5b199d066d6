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

/** The user's settings. Each access reads them, because the editor has the current values. */
export const settings = {
  /** Whether servers start with the window, if the user has already allowed them. */
  get autoStart(): boolean {
    // A workspace or a remote machine can't switch on what the user has switched off.
    const { globalLocalValue, globalValue } = inspect(Setting.autoStart);
    return ![globalLocalValue, globalValue].includes(false) && read(Setting.autoStart) === true;
  },

  /** How many milliseconds a process runs on without use. `undefined`: without end. */
  get idleTime(): number | undefined {
    const minutes = Number(read(Setting.idleMinutes));
    return minutes > 0 ? Math.min(minutes, mostMinutes) * 60_000 : undefined;
  },

  /** Whether the bundled server offers the tools that write. */
  get allowWrite(): boolean {
    return read(Setting.allowWrite) === true;
  },

  /** The settings that allow writing. Valid only while `allowWrite` is true. */
  get writeAllowedBy(): Pick<ServerDefinition, 'from' | 'isOfMachine'> {
    const { globalLocalValue, globalValue } = inspect(Setting.allowWrite);
    // The editor merges a remote machine's settings into the user's. A container can set them.
    const isOfMachine = globalLocalValue !== true;
    return globalValue === true ? { from: 'user', isOfMachine } : { from: 'workspace' };
  },

  /** Whether a sandbox confines the bundled server to its folders, where a sandbox is available. */
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
   * The defined inputs, which say how the user is asked for values. Only the user can define inputs
   * for the user's servers. Otherwise a workspace could choose the values that a server gets. For
   * its own servers, a workspace may redefine the inputs.
   */
  inputsFor(from: ServerDefinition['from']): readonly InputDefinition[] {
    const { globalValue, workspaceValue } = inspect(Setting.inputs);
    const isAsked = from !== 'user' && vscode.workspace.isTrusted;
    const own = readInputSettings((isAsked && workspaceValue) || []);
    const user = readInputSettings(globalValue ?? []);
    const ids = new Set(own.inputs.map(({ id }) => id));
    return [...own.inputs, ...user.inputs.filter(({ id }) => !ids.has(id))];
  },

  /** Folders outside the workspace that may become roots. */
  get extraFolders(): ReadPaths {
    return readPaths(Setting.extraFolders, read(Setting.extraFolders) ?? [], pathContext());
  },

  /** The folders to exclude: the lists of user and workspace together. */
  get excludeFolders(): ReadExclusion {
    // For a list, the value of a remote machine replaces the user's value. So both are read here.
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

  /** The editor's own proxy, unless the user does not want extensions to use it. */
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

  /** The mistakes in the settings. A mistaken switch is off, and a mistaken server is left out. */
  get problems(): readonly SettingsProblem[] {
    return [
      ...problemsIn('user', writtenIn('globalValue')),
      ...(vscode.workspace.isTrusted ? problemsIn('workspace', writtenIn('workspaceValue')) : []),
    ];
  },
};

/** Two weeks. A timer of Node can't wait twice as long. */
const mostMinutes = 20_160;

/** The scopes of settings. Each scope is read separately. */
export type SettingsScope = 'user' | 'workspace';

/** A mistake in settings. Its path begins with the name of the setting. */
export interface SettingsProblem extends Mistake {
  readonly from: SettingsScope;
}

/** Settings of one scope, by their ids. */
export type WrittenSettings = Readonly<Record<string, unknown>>;

/** The mistakes in these settings. For a workspace, also the conflicts with the user's servers. */
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

/** The settings that are checked for mistakes. */
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
 * The servers of user and workspace, each as written. The editor would merge both key by key, so a
 * workspace could add a variable to a user's server. The editor has already merged the servers of a
 * remote machine, which a container can define, into the user's servers.
 */
function readServers(ofWorkspace = inspect(Setting.servers).workspaceValue): JoinedServers {
  const around = surroundings();
  const user = readServerSettings(ofUser(Setting.servers) ?? {}, around);
  const workspace = readServerSettings((vscode.workspace.isTrusted && ofWorkspace) || {}, around);
  const { globalRemoteValue } = inspect(Setting.servers);
  return joinServers(user, workspace, Object.keys(Object(globalRemoteValue)));
}

/** What the variables in a definition stand for in this window. */
export function surroundings(): Surroundings {
  return { folders: foldersOnDisk(), userHome: homedir() };
}

function read(id: string): unknown {
  return vscode.workspace.getConfiguration().get(id);
}

/**
 * The value that the user or this machine sets. So no workspace can give servers its own proxy, or
 * switch off a sandbox. The editor limits these settings to the application or the machine, too.
 */
function ofUser(id: string): unknown {
  return inspect(id).globalValue;
}

function inspect(id: string): Inspected {
  return vscode.workspace.getConfiguration().inspect<unknown>(id) ?? {};
}

/** The values of a setting. The editor's typings lack two of them. */
type Inspected = Partial<
  Record<`${'default' | `global${'' | 'Local' | 'Remote'}` | 'workspace'}Value`, unknown>
>;

/** The operating system and the user's home, for reading paths on this machine. */
export function pathContext(): PathContext {
  const { platform } = process;
  const isKnown = platform === 'win32' || platform === 'darwin';
  return { home: homedir(), platform: isKnown ? platform : 'linux' };
}
