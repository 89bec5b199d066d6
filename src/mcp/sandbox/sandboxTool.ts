import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printable } from '../../domain/printable.ts';
import {
  type Bubblewrap,
  bubblewrapStart,
  rootQuestion,
  type World,
} from '../../domain/sandbox/bubblewrap.ts';
import { landlockStart } from '../../domain/sandbox/landlock.ts';
import { isSeccompArch, type SeccompArch, seccompProgram } from '../../domain/sandbox/seccomp.ts';
import { type Sentence, sentence } from '../../domain/sentence.ts';
import type { ProcessOwner } from '../process/stdio/processOwner.ts';
import type { ProcessStart } from '../process/stdio/serverProcess.ts';
import { runToEnd } from './runToEnd.ts';

/** The program that makes a sandbox on this machine. */
export interface SandboxTool {
  /** The name and version, such as `bubblewrap 0.8.0`. */
  readonly name: string;
  /** Whether other files, their names and other processes do not exist in it. Otherwise, it denies access. */
  readonly hasNamespaces: boolean;
  /** Set if a better program is here, which failed now and may work at a later start. */
  readonly isStandIn?: boolean;
  /**
   * Returns the start of a program in a sandbox. The world is what the program sees.
   *
   * @param secret a name that the program must not know. Left out: a random name. Pass a fixed name
   * to compare two starts.
   */
  readonly start: (world: World, program: readonly string[], secret?: string) => ToolStart;
}

/** The start of the program that makes a sandbox. */
type ToolStart = Required<Pick<ProcessStart, 'command' | 'args' | 'cwd' | 'env' | 'inputs'>> &
  Pick<ProcessStart, 'temporary'>;

/** The sandbox of this machine, or why it has none and what to do. */
export type SandboxAvailability =
  | { readonly tool: SandboxTool; readonly problem?: undefined }
  | { readonly tool?: undefined; readonly problem: Sentence };

/** The programs that make sandboxes. Elsewhere, a program of the same name could be malicious. */
const programs = { bubblewrap: '/usr/bin/bwrap', perl: '/usr/bin/perl' };

/** Time limit for each trial run of bubblewrap, in milliseconds. */
const patience = 10_000;

/**
 * Returns the path, device, inode, size and time of the files of bubblewrap and Perl, as one text.
 * The text changes when somebody replaces a file. Never rejects.
 */
export async function toolFiles(): Promise<string> {
  return (await Promise.all(Object.values(programs).map(fileAt))).join(' ');
}

/** Identifies a file; empty if it is missing. */
async function fileAt(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found?.isFile() ? [path, found.dev, found.ino, found.size, found.mtimeNs].join(':') : '';
}

/**
 * Finds the sandbox tool of this machine, and tries a start with it.
 *
 * @param owner owns the processes that this starts.
 */
export async function findSandboxTool(
  owner: ProcessOwner,
  { platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'> = process,
): Promise<SandboxAvailability> {
  if (platform !== 'linux') {
    const system = platform === 'darwin' ? 'macOS' : 'Windows';
    return { problem: sentence('A sandbox is not available on {0} yet.', system) };
  }
  if (!isSeccompArch(arch)) {
    return { problem: sentence('A sandbox is not available for {0} processors yet.', arch) };
  }
  const found = await findBubblewrap(owner, arch);
  if (found.tool) {
    return found;
  }
  const tool = landlockTool(arch);
  const isThere = (await fileAt(programs.perl)) !== '';
  const { isGood, words } = isThere ? await tryOut(tool, owner) : { words: 'missing' };
  const isStandIn = (await fileAt(programs.bubblewrap)) !== '';
  return isGood
    ? { tool: { ...tool, isStandIn } }
    : { problem: sentence(noLandlock, found.problem, firstLine(words)) };
}

async function findBubblewrap(
  owner: ProcessOwner,
  arch: SeccompArch,
): Promise<SandboxAvailability> {
  const place = programs.bubblewrap;
  if ((await fileAt(place)) === '') {
    return { problem: sentence(notInstalled) };
  }
  const asking = { command: place, args: ['--version'], cwd: '/', env: {} };
  const said = await run(asking, owner);
  const version = /\d+(?:\.\d+)+/.exec(said.words)?.[0];
  if (version === undefined) {
    const silent = sentence('{0} does not print its version.', place);
    return { problem: said.isGood ? silent : refusal(said.words) };
  }
  const asked = await run({ ...asking, args: rootQuestion() }, owner);
  const staysInRoot = asked.words === 'inside';
  const tool = bubblewrapTool({ path: place, version, staysInRoot }, arch);
  const { isGood, words } = asked.isGood ? await tryOut(tool, owner) : asked;
  return isGood ? { tool } : { problem: refusal(words) };
}

/** @param bubblewrap if its `staysInRoot` is wrongly `true`, links lead out of the sandbox. */
export function bubblewrapTool(bubblewrap: Bubblewrap, arch: SeccompArch): SandboxTool {
  return {
    name: `bubblewrap ${bubblewrap.version}`,
    hasNamespaces: true,
    start: (world, program, secret = randomUUID()) => {
      const start = bubblewrapStart(bubblewrap, world, program, secret);
      return {
        command: bubblewrap.path,
        args: start.args,
        cwd: '/',
        env: {},
        inputs: [start.options, seccompProgram(arch, world.hasUnixSockets)],
      };
    },
  };
}

/** Landlock and seccomp, where the system allows no namespaces. */
export function landlockTool(arch: SeccompArch): SandboxTool {
  return {
    name: 'Landlock',
    hasNamespaces: false,
    start: (world, program, secret = randomUUID()) => {
      const temporary = join(tmpdir(), `mcp-roots-${secret}`);
      const { args, rules } = landlockStart(arch, world, program, temporary);
      const inputs = [rules, seccompProgram(arch, false, world)];
      return { command: programs.perl, args, cwd: '/', env: {}, inputs, temporary };
    },
  };
}

/** Returns why a sandbox can't allow unix sockets safely. `undefined`: it can. */
export async function unixSocketsProblem(
  tool: SandboxTool,
  owner: ProcessOwner,
): Promise<Sentence | undefined> {
  if (!tool.hasNamespaces) {
    return sentence('"unixSockets" in "sandbox" needs bubblewrap, which makes no sandbox here.');
  }
  const { isGood, words } = await tryOut(tool, owner, true);
  return isGood ? undefined : sentence(noSockets, firstLine(words));
}

/** Starts a program that does nothing, with all the flags of a real start and one hidden folder. */
function tryOut(tool: SandboxTool, owner: ProcessOwner, hasUnixSockets = false) {
  const world: World = {
    ...{ shown: [], hidden: [{ path: '/tmp', isFolder: true }], links: new Map(), empty: ['/tmp'] },
    ...{ cwd: '/', env: {}, hasNetwork: false, hasUnixSockets },
  };
  return run(tool.start(world, ['/bin/sh', '-c', ':']), owner);
}

/** Runs a program until it ends, or kills it at the time limit. */
async function run(start: ProcessStart, owner: ProcessOwner) {
  const deadline = AbortSignal.timeout(patience);
  const { code, error, output, stderr } = await runToEnd(start, owner, deadline);
  if (deadline.aborted) {
    return { isGood: false, words: `no answer within ${patience} ms` };
  }
  const words = [output, ...stderr].join('\n').trim();
  return { isGood: code === 0, words: error?.message ?? words };
}

const notInstalled =
  'bubblewrap is missing. The system needs it to keep a server in its folders. Install it ("sudo apt install bubblewrap", "sudo dnf install bubblewrap", "sudo pacman -S bubblewrap") and start the server again.';

const noLandlock =
  '{0} Without bubblewrap, a sandbox needs Linux 6.12 or later with Landlock, and /usr/bin/perl ({1}).';

const noSockets =
  '"unixSockets" in "sandbox" needs Linux 6.12 or later with Landlock, and /usr/bin/perl ({0}). Update the system, or leave the key out.';

/** Returns advice for an error message of bubblewrap. */
function refusal(words: string): Sentence {
  const [, advice = unknownReason] = refusals.find(([says]) => says.test(words)) ?? [];
  return sentence(advice, firstLine(words));
}

function firstLine(words: string): string {
  return printable(words.split('\n', 1)[0] ?? '');
}

const noneLeft =
  'This system or container allows no user namespaces, or this is a sandbox already ({0}). Raise "user.max_user_namespaces", or run the editor or the hub outside of the sandbox.';

const lacksProfile =
  'The system does not let bubblewrap make a sandbox ({0}). Ubuntu 24.04 lets only some programs make a sandbox; VS Code from its own package is one. For other programs, give bubblewrap a profile of AppArmor: see "Kept in its folders by the system" in the help.';

const noNamespaces =
  'The system does not let bubblewrap make a sandbox ({0}). If this is a container, start it with namespaces allowed, for example with "--security-opt seccomp=unconfined". Otherwise, ask the administrator of the system to allow user namespaces.';

const unknownReason = 'bubblewrap does not work here: {0}';

const refusals: readonly (readonly [says: RegExp, advice: string])[] = [
  [/nesting depth|ENOSPC|No space left/i, noneLeft],
  [/uid map: Permission denied|RTM_NEWADDR/, lacksProfile],
  [/new namespace|Operation not permitted|Permission denied/i, noNamespaces],
];
