import * as vscode from 'vscode';
import { type ReadServers, readServerSettings } from '../domain/serverSettings.ts';
import { Setting } from './ids.ts';

/** The user's settings, read afresh each time: the editor keeps them current. */
export const settings = {
  /** Whether servers start with the window, as far as the user already answered. */
  get autoStart(): boolean {
    return readBoolean(Setting.autoStart, true);
  },

  /** Whether every JSON-RPC message is written to the server's log. */
  get trace(): boolean {
    return readBoolean(Setting.trace, false);
  },

  get servers(): ReadServers {
    return readServerSettings(read(Setting.servers) ?? {});
  },
};

function readBoolean(id: string, fallback: boolean): boolean {
  const value = read(id);
  return typeof value === 'boolean' ? value : fallback;
}

function read(id: string): unknown {
  return vscode.workspace.getConfiguration().get(id);
}
