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

/** A home folder in which no window has left anything yet, and what stands in for windows there. */
export interface FakeHome {
  readonly home: string;
  /** The folder that windows have open, unless they are told otherwise. */
  readonly workspace: string;
  /** What the server "files" said in a window that had the workspace open; `window` says otherwise. */
  writeSnapshot(snapshot: Omit<Snapshot, 'identity'>, window?: Partial<WindowSnapshots>): void;
  /** What Node runs as the connector, if it is not the built file itself. */
  readonly program?: string;
}

/** What a gateway does with a connector, when it has read its hello. */
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

/** A window whose gateway does what a test wants. */
export interface FakeGateway {
  readonly sessions: readonly FakeSession[];
  /** Removes the socket and ends what is connected, as a host that is killed. */
  die(): Promise<void>;
}

export function fakeHome(t: TestContext): FakeHome {
  const home = tempFolder(t);
  const workspace = join(home, 'work');
  mkdirSync(workspace);
  mkdirSync(windowsFolder(home), { recursive: true, mode: 0o700 });
  return {
    home,
    workspace,
    writeSnapshot(snapshot, window) {
      const folder = snapshotsFolder(home);
      const servers = { files: { identity: 'i', ...snapshot } };
      const all: WindowSnapshots = { name: 'w', folders: [workspace], writtenAt: 1, servers };
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, 'w.json'), JSON.stringify({ ...all, ...window }));
    },
  };
}

/** Opens a window; `window` is what its file says otherwise than usual. */
export async function openGateway(
  t: TestContext,
  { home, workspace }: FakeHome,
  receive: Reception,
  { id = 'w', ...window }: { readonly id?: string; readonly folders?: readonly string[] } = {},
): Promise<FakeGateway> {
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
