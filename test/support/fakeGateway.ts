import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import {
  type Snapshot,
  snapshotsFolder,
  type WindowSnapshots,
} from '../../src/connect/snapshot.ts';
import { windowsFolder } from '../../src/connect/windowFiles.ts';
import { atEnd } from './processes.ts';
import { tempFolder } from './temp.ts';

/** A new home folder without files of windows, and stand-ins for windows there. */
export type FakeHome = ReturnType<typeof fakeHome> & {
  /** The file that Node runs as the connector, if other than the built file. */
  readonly program?: string;
};

/** A gateway's reaction to a connector after the hello. */
export type Reception = (session: FakeSession) => void;

/** One connection that a gateway has. */
export interface FakeSession {
  readonly hello: Readonly<Record<string, unknown>>;
  readonly socket: Socket;
  /** Writes a message, or a line of the gateway itself. */
  say(message: object): void;
  /** Calls this with each line that comes. */
  listen(onLine: (line: string) => void): void;
}

export function fakeHome(t: TestContext) {
  const home = tempFolder(t);
  const workspace = join(home, 'work');
  mkdirSync(workspace);
  mkdirSync(windowsFolder(home), { recursive: true, mode: 0o700 });
  return {
    home,
    /** The folder that windows have open by default. */
    workspace,
    /** The answers of the server "files" in a window with the workspace; `window` changes them. */
    writeSnapshot(snapshot: Omit<Snapshot, 'identity'>, window?: Partial<WindowSnapshots>) {
      const folder = snapshotsFolder(home);
      const servers = { files: { identity: 'i', ...snapshot } };
      const all: WindowSnapshots = { name: 'w', folders: [workspace], writtenAt: 1, servers };
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, 'w.json'), JSON.stringify({ ...all, ...window }));
    },
  };
}

/** Opens a window with a gateway that a test controls; `window` replaces fields of its file. */
export async function openGateway(
  t: TestContext,
  { home, workspace }: FakeHome,
  receive: Reception,
  { id = 'w', ...window }: { readonly id?: string; readonly folders?: readonly string[] } = {},
) {
  const sessions: FakeSession[] = [];
  const server = createServer(socket => {
    socket.on('error', () => {});
    const lines = createInterface({ input: socket });
    lines.once('line', line => {
      const session: FakeSession = {
        hello: JSON.parse(line),
        socket,
        say: message => socket.write(`${JSON.stringify(message)}\n`),
        listen: onLine => lines.on('line', onLine),
      };
      sessions.push(session);
      receive(session);
    });
  });
  const path = socketPath(windowsFolder(home), id);
  await listening(server, path);
  const file = join(windowsFolder(home), `${id}.json`);
  const described = {
    socket: path,
    nonce: `nonce of ${id}`,
    folders: [workspace],
    focusedAt: 1,
    name: id,
    ...window,
  };
  writeFileSync(file, JSON.stringify(described), { mode: 0o600 });
  /** Removes the socket and ends its connections, like a killed host. */
  const die = async () => {
    rmSync(file, { force: true });
    for (const { socket } of sessions) {
      socket.destroy();
    }
    await new Promise(resolve => server.close(resolve));
  };
  atEnd(t, die);
  return { sessions, die };
}

export const connectMain = join(import.meta.dirname, '../../dist/connect.js');

/** How the connector is started for a client in that home. */
export function connectorStart(
  { home, workspace, program = connectMain }: FakeHome,
  ...args: readonly string[]
) {
  return {
    command: process.execPath,
    args: [program, '--server', 'files', ...args],
    cwd: workspace,
    env: { HOME: home, USERPROFILE: home, PATH: process.env['PATH'] ?? '' },
  };
}

/** Where it listens: a pipe of an unused name on Windows, which has no sockets in folders. */
function socketPath(folder: string, id: string): string {
  return process.platform === 'win32'
    ? `\\\\.\\pipe\\mcp-roots-${randomUUID()}`
    : join(folder, `${id}.sock`);
}

async function listening(server: Server, path: string): Promise<void> {
  server.listen(path);
  await once(server, 'listening');
}
