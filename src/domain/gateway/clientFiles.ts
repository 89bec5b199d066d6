import { posix, win32 } from 'node:path';
import { desktopConfig, type Machine } from '../adding/importPlaces.ts';
import type { Client } from './clientEntries.ts';

/** A file where a client keeps servers. It need not be there. */
export interface ClientFile {
  readonly path: string;
  readonly scope: 'user' | 'folder';
}

/** Where to look for the files of clients. */
export interface ClientMachine extends Pick<Machine, 'platform' | 'home' | 'appData'> {
  /** Whether the user sits at another machine than this one. */
  readonly isRemote: boolean;
  /** The folders of the window that are on disk. */
  readonly folders: readonly string[];
}

/** In the user's home. Claude Code keeps its state in its own, too, and has a command instead. */
export const userFiles = {
  codex: '.codex/config.toml',
  'copilot-cli': '.copilot/mcp-config.json',
  'gemini-cli': '.gemini/settings.json',
  cursor: '.cursor/mcp.json',
  windsurf: '.codeium/windsurf/mcp_config.json',
  zed: '.config/zed/settings.json',
} as const;

const folderFiles: Partial<Record<Client, string>> = {
  'claude-code': '.mcp.json',
  codex: '.codex/config.toml',
  'gemini-cli': '.gemini/settings.json',
  cursor: '.cursor/mcp.json',
};

/** Clients that run where the user sits, and read the user's file there. */
const apps: readonly Client[] = ['cursor', 'claude-desktop', 'windsurf', 'zed'];

/** The files of a client that can be written on this machine: the user's, then those of the folders. */
export function clientFiles(client: Client, machine: ClientMachine): ClientFile[] {
  const user = machine.isRemote && apps.includes(client) ? undefined : userFile(client, machine);
  const inFolder = folderFiles[client];
  const { join } = paths(machine);
  return [
    ...(user === undefined ? [] : [{ path: user, scope: 'user' } as const]),
    ...(inFolder === undefined ? [] : machine.folders).map(
      folder => ({ path: join(folder, inFolder ?? ''), scope: 'folder' }) as const,
    ),
  ];
}

function userFile(client: Client, machine: ClientMachine): string | undefined {
  const { join } = paths(machine);
  if (client === 'claude-desktop') {
    return desktopConfig(machine);
  }
  if (client === 'zed' && machine.appData !== undefined && machine.platform === 'win32') {
    return join(machine.appData, 'Zed', 'settings.json');
  }
  const file = (userFiles as Partial<Record<Client, string>>)[client];
  return file === undefined ? undefined : join(machine.home, file);
}

function paths({ platform }: ClientMachine) {
  return platform === 'win32' ? win32 : posix;
}
