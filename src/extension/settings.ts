import * as vscode from 'vscode';
import { type Sentence, sentence } from '../domain/sentence.ts';
import type { ServerDefinition } from '../domain/serverDefinition.ts';
import { type ReadServers, readServerSettings } from '../domain/serverSettings.ts';
import { Setting } from './ids.ts';

const switches = [Setting.autoStart, Setting.trace, Setting.allowWrite] as const;

/** The user's settings, read afresh each time: the editor keeps them current. */
export const settings = {
  /** Whether servers start with the window, as far as the user already answered. */
  get autoStart(): boolean {
    return read(Setting.autoStart) === true;
  },

  /** Whether the bundled server offers the tools that write. */
  get allowWrite(): boolean {
    return read(Setting.allowWrite) === true;
  },

  /** Whether every JSON-RPC message is written to the server's log. */
  get trace(): boolean {
    return read(Setting.trace) === true;
  },

  get servers(): readonly ServerDefinition[] {
    return readServers().servers;
  },

  /** What is wrong with the settings. A wrong switch is off, and a wrong server is left out. */
  get problems(): readonly Sentence[] {
    const wrong = switches.filter(id => typeof read(id) !== 'boolean');
    return [
      ...wrong.map(id =>
        sentence('The setting {0} must be true or false. It is off until then.', id),
      ),
      ...readServers().problems,
    ];
  },
};

function readServers(): ReadServers {
  return readServerSettings(read(Setting.servers) ?? {});
}

function read(id: string): unknown {
  return vscode.workspace.getConfiguration().get(id);
}
