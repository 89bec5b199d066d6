import { homedir } from 'node:os';
import * as vscode from 'vscode';
import {
  type ReadExclusion,
  type ReadPaths,
  readExclusion,
  readForbidden,
  readPaths,
} from '../domain/folders/folderSettings.ts';
import { type Sentence, sentence } from '../domain/sentence.ts';
import type { EditorProxy } from '../domain/servers/proxies.ts';
import type { ServerDefinition } from '../domain/servers/serverDefinition.ts';
import {
  type InputDefinition,
  type ReadInputs,
  readInputSettings,
} from '../domain/settings/inputs.ts';
import {
  joinServers,
  type ReadServers,
  readServerSettings,
} from '../domain/settings/serverSettings.ts';
import { foldersOnDisk } from './folders/onDisk.ts';
import { Setting } from './ids.ts';
import { pathContext } from './pathContext.ts';

const switches = [Setting.autoStart, Setting.trace, Setting.allowWrite] as const;

/** The user's settings, read afresh each time: the editor keeps them current. */
export const settings = {
  /** Whether servers start with the window, as far as the user already answered. */
  get autoStart(): boolean {
    // What the user switched off, no workspace switches on.
    return inspect(Setting.autoStart).globalValue !== false && read(Setting.autoStart) === true;
  },

  /** Whether the bundled server offers the tools that write. */
  get allowWrite(): boolean {
    return read(Setting.allowWrite) === true;
  },

  /** Whether it is the workspace that says so, and not the user. */
  get allowsWriteByWorkspace(): boolean {
    return this.allowWrite && inspect(Setting.allowWrite).globalValue !== true;
  },

  /** Whether every JSON-RPC message is written to the server's log. */
  get trace(): boolean {
    return read(Setting.trace) === true;
  },

  get servers(): readonly ServerDefinition[] {
    return readServers().servers;
  },

  /**
   * How the user is asked for the values of inputs, as far as that is defined: for a server of the
   * user's by the user alone, or a workspace could prepare what it is given.
   */
  inputsFor(from: ServerDefinition['from']): readonly InputDefinition[] {
    return readInputs(from !== 'user').inputs;
  },

  /** Folders outside of the workspace that may become roots. */
  get extraFolders(): ReadPaths {
    return readPaths(Setting.extraFolders, read(Setting.extraFolders) ?? [], pathContext());
  },

  /** Which folders are left out: what the user says and what the workspace says, both. */
  get excludeFolders(): ReadExclusion {
    const { globalValue = [], workspaceValue = [] } = inspect(Setting.excludeFolders);
    return readExclusion(
      Setting.excludeFolders,
      [globalValue, workspaceValue].flat(),
      pathContext(),
    );
  },

  /** What must never become a root. */
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

  /** What is wrong with the settings. A wrong switch is off, and a wrong server is left out. */
  get problems(): readonly Sentence[] {
    const wrong = switches.filter(id => typeof read(id) !== 'boolean');
    return [
      ...wrong.map(id =>
        sentence('The setting {0} must be true or false. It is off until then.', id),
      ),
      ...readServers().problems,
      ...this.extraFolders.problems,
      ...this.excludeFolders.problems,
      ...this.neverExpose.problems,
      ...readInputs(true).problems,
    ];
  },
};

/**
 * Those of the user and of the workspace. The editor would put the two together key by key, so that
 * a workspace could add a variable to a server of the user's: here each stands as it is written.
 */
function readServers(): ReadServers {
  const around = { folders: foldersOnDisk(), userHome: homedir() };
  const { globalValue, workspaceValue } = inspect(Setting.servers);
  const user = readServerSettings(globalValue ?? {}, around);
  const workspace = readServerSettings((isTrusted() && workspaceValue) || {}, around);
  return joinServers(user, workspace);
}

function isTrusted(): boolean {
  return vscode.workspace.isTrusted;
}

/** Those of the workspace, and of the user's those that the workspace does not define anew. */
function readInputs(withWorkspace: boolean): ReadInputs {
  const { globalValue, workspaceValue } = inspect(Setting.inputs);
  const own = readInputSettings((withWorkspace && isTrusted() && workspaceValue) || []);
  const user = readInputSettings(globalValue ?? []);
  const ids = new Set(own.inputs.map(({ id }) => id));
  return {
    inputs: [...own.inputs, ...user.inputs.filter(({ id }) => !ids.has(id))],
    problems: [...own.problems, ...user.problems],
  };
}

function read(id: string): unknown {
  return vscode.workspace.getConfiguration().get(id);
}

/**
 * What the user or this machine says. The editor gives these settings the scope of the application
 * or of the machine; whatever it does with them, no workspace leads servers to a proxy of its own.
 */
function ofUser(id: string): unknown {
  return inspect(id).globalValue;
}

function inspect(id: string) {
  return vscode.workspace.getConfiguration().inspect<unknown>(id) ?? { key: id };
}
