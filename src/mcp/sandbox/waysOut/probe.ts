import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type ListenOptions } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ProcessOwner } from '../../process/stdio/processOwner.ts';
import type { ProcessStart } from '../../process/stdio/serverProcess.ts';
import { runToEnd } from '../runToEnd.ts';
import type { Outside } from './main.ts';

/** The result of trying the ways out of a sandbox. */
export interface WaysOut {
  /** The number of ways tried. 0: the program that tries them failed. */
  readonly tried: number;
  /** The names of the ways that led out. With the network, {@link byNetwork} is one of them. */
  readonly through: readonly string[];
}

/** The name of the way out through the network of the machine. */
export const byNetwork = 'loopback';

/** The name of the way that makes a unix socket. If that is allowed, it works but leads nowhere. */
export const byUnixSockets = 'unixSocket';

/** The ways that ask for a known name. Without namespaces, names are not hidden. */
export const byNames: readonly string[] = ['stat', 'homeNames'];

/**
 * The start of a program that tries ways out. Its first argument is its own file. The program reads
 * an {@link Outside} from stdin, as a line of JSON. It prints an object with each way's result.
 */
export type Attacker = Pick<ProcessStart, 'command' | 'args' | 'env'>;

/** A folder that the program sees. */
export interface ProbeRoot {
  readonly path: string;
  readonly isReadOnly: boolean;
}

/** Our own program that tries the ways out, run by the Node of this process. */
export function ownAttacker(distFolder: string): Attacker {
  return {
    command: process.execPath,
    args: [join(distFolder, 'waysOut.js')],
    env: { ELECTRON_RUN_AS_NODE: '1', PATH: '/usr/bin:/bin' },
  };
}

/**
 * Lets a program try the ways out of a sandbox. A way led out if its result has a text that exists
 * only outside, or if it wrote its file. Leaves nothing behind, even if this process is killed.
 *
 * @param sandboxed turns the start into a start in a sandbox that shows these folders.
 */
export async function tryWaysOut(
  attacker: Attacker,
  owner: ProcessOwner,
  sandboxed: (start: ProcessStart, roots: readonly ProbeRoot[]) => Promise<ProcessStart>,
): Promise<WaysOut> {
  // The name is short, because the path of the unix socket in it may have at most 107 bytes.
  const name = `mcp-roots-probe-${randomBytes(4).toString('hex')}`;
  const top = join(await realpath(tmpdir()), name);
  const opened: (() => unknown)[] = [];
  try {
    const { about, bystander, marks } = await prepared(top, name, opened);
    const roots = [
      { path: about.root, isReadOnly: false },
      { path: dirname(about.writes.readOnly), isReadOnly: true },
      { path: about.nestedRoot, isReadOnly: false },
    ];
    const start = await sandboxed({ ...attacker, cwd: about.root }, roots);
    const said = await answers(start, owner, about);
    const written = await Promise.all(
      Object.entries(about.writes).map(async ([way, path]) => ((await isWritten(path)) ? way : [])),
    );
    const through = [
      ...Object.keys(said).filter(way => marks.some(mark => said[way]?.includes(mark))),
      ...written.flat(),
      ...((await endsByItself(bystander)) ? [] : ['signal']),
    ];
    return { tried: Object.keys(said).length, through };
  } finally {
    for (const close of opened) {
      await close();
    }
    await rm(top, { recursive: true, force: true });
  }
}

/**
 * Makes what lies outside the sandbox: files, sockets, and a process of the user (the bystander).
 *
 * @param opened receives functions that later remove or end what was made.
 */
async function prepared(top: string, name: string, opened: (() => unknown)[]) {
  const mark = `mark-${randomBytes(8).toString('hex')}`;
  const seenName = `seen-${randomBytes(8).toString('hex')}`;
  const [root, folder] = [join(top, 'root'), join(top, 'outside')];
  const secret = join(folder, 'secret');
  const writes = {
    home: join(top, 'home', '.profile'),
    besides: join(top, 'root-besides', 'written'),
    cache: join(top, 'home', '.npm', '_npx', 'written'),
    system: join('/usr/lib', name),
    readOnly: join(top, 'read-only', 'written'),
    hook: join(root, '.git', 'hooks', 'pre-commit'),
    gitConfig: join(root, '.git', 'config'),
    hookByRename: join(root, '.git', 'hooks', 'post-commit'),
    hookByLink: join(root, '.git', 'hooks', 'post-merge'),
    hookElsewhere: join(root, '.hooks', 'pre-push'),
    tasks: join(root, '.vscode', 'tasks.json'),
  };
  opened.push(() => rm(writes.system, { force: true }));
  // The bystander starts first, because it removes the files if our process is killed.
  const bystander = spawn('/bin/sh', ['-c', bystanding, seenName, folder, top, writes.system], {
    env: { PATH: `/usr/bin:/bin:${process.env['PATH'] ?? ''}`, NAMED: mark },
    // Signals to our process group must not reach the bystander.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  opened.push(() => endsByItself(bystander));
  await Promise.race([once(bystander.stdout, 'data'), once(bystander, 'exit')]);
  if (bystander.exitCode !== null) {
    throw new Error(`no files or folders can be created in ${dirname(top)}.`);
  }
  for (const made of [folder, ...Object.values(writes).map(dirname)]) {
    await mkdir(made, { recursive: true });
  }
  const text = `${mark}${' '.repeat(1000 + randomBytes(1).readUInt8())}`;
  const [sibling, movable] = [join(top, 'root-besides', 'secret'), join(folder, 'movable')];
  for (const file of [secret, sibling, movable]) {
    await writeFile(file, text);
  }
  await writeFile(join(folder, seenName), '');
  await writeFile(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  await writeFile(writes.gitConfig, '[core]\n\thooksPath = .hooks\n');
  const [oldLink, nestedRoot] = [join(root, 'old-link'), join(root, 'nested')];
  await symlink(secret, oldLink);
  // A server can leave a link in the place of a nested root, for its next start.
  await symlink(folder, nestedRoot);
  const pathSocket = join(folder, 'socket');
  const served = async (options: ListenOptions) => {
    const server = createServer(socket => {
      socket.on('error', () => {}); // The caller has gone, which does not matter.
      socket.end(mark);
    });
    opened.push(() => server.close());
    server.listen(options);
    await once(server, 'listening');
    return server;
  };
  await served({ path: pathSocket });
  const overTcp = await served({ host: '127.0.0.1', port: 0 });
  await served({ path: `\0${name}` });
  const about: Outside = {
    ...{ root, folder, secret, sibling, movable, oldLink, nestedRoot, writes, pathSocket },
    dots: `${root}/../outside/secret`,
    abstractSocket: `@${name}`,
    port: (overTcp.address() as AddressInfo).port,
    pid: Number(bystander.pid),
    homeFolder: homedir(),
  };
  return {
    about,
    bystander,
    marks: [mark, seenName, `size:${text.length}`, 'answered'],
  };
}

/**
 * The bystander's script. Holds the secret open until the end of its stdin, which comes at the
 * latest when our process ends. Then removes all files, even if nobody reads its output.
 */
const bystanding = `trap '' PIPE; { mkdir -m 700 "$2" && mkdir "$1" && cd "$1" && : >secret && exec 3<secret; } || exit
echo ready; read -r line; cd /; shift; rm -rf "$@" || { sleep 1; rm -rf "$@"; }`;

/** The program's result for each way; empty if the program could not start or gives no result. */
async function answers(
  start: ProcessStart,
  owner: ProcessOwner,
  about: Outside,
): Promise<Readonly<Record<string, string>>> {
  const line = `${JSON.stringify(about)}\n`;
  const { output } = await runToEnd(start, owner, AbortSignal.timeout(longest), line);
  try {
    return JSON.parse(output);
  } catch {
    return {};
  }
}

const longest = 60_000;

/** Closes the bystander's stdin. `true`: it then ends without a signal. */
async function endsByItself(bystander: ChildProcess): Promise<boolean> {
  bystander.stdin?.end();
  if (bystander.exitCode === null && bystander.signalCode === null) {
    await once(bystander, 'exit');
  }
  return bystander.signalCode === null;
}

async function isWritten(path: string): Promise<boolean> {
  return (await readFile(path, 'utf8').catch(() => '')).startsWith('written');
}
