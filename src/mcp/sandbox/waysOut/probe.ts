import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type ListenOptions } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { giveInputs, withStdio } from '../../stdio/childStdio.ts';
import type { ProcessStart } from '../../stdio/serverProcess.ts';
import type { Outside } from './main.ts';

/** The result of trying the ways out of a sandbox. */
export interface WaysOut {
  /** The number of ways tried. 0: the program that tries them failed. */
  readonly tried: number;
  /** The names of those that led out. With the network, which is shared, {@link byNetwork} does. */
  readonly through: readonly string[];
}

/** The way that leads to where the network of the machine leads. */
export const byNetwork = 'loopback';

/** The way that is there with unix sockets, and leads nowhere by itself: to make one. */
export const byUnixSockets = 'unixSocket';

/**
 * A program that tries ways out: it reads what lies outside as a line of JSON, and says what came of
 * each. Its first argument is the file that it is.
 */
export type Attacker = Pick<ProcessStart, 'command' | 'args' | 'env'>;

/** A folder that the program is shown. */
export interface ProbeRoot {
  readonly path: string;
  readonly isReadOnly: boolean;
}

/** The program that comes with us, run by the Node of this process. */
export function ownAttacker(distFolder: string): Attacker {
  return {
    command: process.execPath,
    args: [join(distFolder, 'waysOut.js')],
    env: { ELECTRON_RUN_AS_NODE: '1', PATH: '/usr/bin:/bin' },
  };
}

/**
 * Has a program try the ways out of a sandbox, and looks what came out: marks that only stand outside,
 * and what it wrote there. Nothing of it stays, even if this process is killed meanwhile.
 *
 * @param sandboxed the start as one in a sandbox that shows it these folders.
 */
export async function tryWaysOut(
  attacker: Attacker,
  sandboxed: (start: ProcessStart, roots: readonly ProbeRoot[]) => Promise<ProcessStart>,
): Promise<WaysOut> {
  // Short: the path of the socket in it may have 107 bytes.
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
    const said = await answers(await sandboxed({ ...attacker, cwd: about.root }, roots), about);
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
 * Makes what lies outside: files, sockets, and a process that stands for all others of the user.
 *
 * @param opened to which is added how to end each of them.
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
  // Before anything is made, so that nothing is left without the one who removes it.
  const bystander = spawn('/bin/sh', ['-c', bystanding, seenName, folder, top, writes.system], {
    env: { PATH: `/usr/bin:/bin:${process.env['PATH'] ?? ''}`, NAMED: mark },
    // Out of reach of what is sent to our process group.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  opened.push(() => endsByItself(bystander));
  await Promise.race([once(bystander.stdout, 'data'), once(bystander, 'exit')]);
  if (bystander.exitCode !== null) {
    throw new Error(`nothing can be made in ${dirname(top)}.`);
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
  // As a server leaves it in the place of a root within another one, for its next start.
  await symlink(folder, nestedRoot);
  const pathSocket = join(folder, 'socket');
  const served = async (options: ListenOptions) => {
    const server = createServer(socket => {
      socket.on('error', () => {}); // Whoever called has gone, which is all the same.
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
 * Has the secret open, waits for the end of its input, which is ours at the latest, and clears away: also
 * when nobody is left to hear that it is ready.
 */
const bystanding = `trap '' PIPE; { mkdir -m 700 "$2" && mkdir "$1" && cd "$1" && : >secret && exec 3<secret; } || exit
echo ready; read -r line; cd /; shift; rm -rf "$@" || { sleep 1; rm -rf "$@"; }`;

/** The verdict of the program on each way; empty when it could not be started or gives none. */
async function answers(
  { command, args, cwd, env, inputs = [] }: ProcessStart,
  about: Outside,
): Promise<Readonly<Record<string, string>>> {
  const child = withStdio(inputs, stdio =>
    spawn(command, args, { cwd, env, stdio, detached: true }),
  );
  giveInputs(child.stdio, inputs);
  child.stderr?.resume();
  child.stdin?.on('error', () => {}); // It has ended, which is heard of below.
  child.stdin?.end(`${JSON.stringify(about)}\n`);
  const said = await output(child);
  try {
    return JSON.parse(said);
  } catch {
    return {};
  }
}

const longest = 60_000;

function output(child: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    const said: string[] = [];
    const timer = setTimeout(() => {
      resolve('');
      child.stdout?.destroy(); // What has left its group may hold it open.
      try {
        process.kill(-Number(child.pid), 'SIGKILL');
      } catch {
        // All of its group has ended.
      }
    }, longest);
    const end = (text: string) => {
      clearTimeout(timer);
      resolve(text);
    };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => said.push(text));
    child.once('error', () => end(''));
    child.once('close', () => end(said.join('')));
  });
}

/** Whether it is still there to end when its input does. */
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
