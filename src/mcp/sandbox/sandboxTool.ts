import { spawn } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import { printable } from '../../domain/printable.ts';
import { type Bubblewrap, bubblewrapStart, type World } from '../../domain/sandbox/bubblewrap.ts';
import { isSeccompArch, type SeccompArch, seccompProgram } from '../../domain/sandbox/seccomp.ts';
import { type Sentence, sentence } from '../../domain/sentence.ts';
import { giveInputs } from '../stdio/childStdio.ts';
import type { ProcessStart } from '../stdio/serverProcess.ts';

/** The program that makes a sandbox on this machine. */
export interface SandboxTool {
  /** Its name and version, such as `bubblewrap 0.8.0`. */
  readonly name: string;
  /** Makes the start of a program in a world. */
  readonly start: (world: World, program: readonly string[]) => ToolStart;
}

/** The start of the program that makes a sandbox. */
type ToolStart = Required<Pick<ProcessStart, 'command' | 'args' | 'cwd' | 'env' | 'inputs'>>;

/** The sandbox of this machine, or why there is none and what to do. */
export type SandboxAvailability =
  | { readonly tool: SandboxTool; readonly problem?: undefined }
  | { readonly tool?: undefined; readonly problem: Sentence };

/** Only where the system keeps its programs: another one of that name would see everything. */
const places = ['/usr/bin/bwrap', '/bin/bwrap'];

/** Time limit for the tool to say whether it works, in milliseconds. */
const patience = 10_000;

/**
 * Identifies the file of the program that makes sandboxes here: another in its place has another text. Never
 * rejects; empty: there is none.
 */
export async function toolFile(): Promise<string> {
  const path = await firstProgram(places);
  const found = path && (await stat(path, { bigint: true }).catch(() => undefined));
  return found ? [path, found.dev, found.ino, found.size, found.mtimeNs].join(':') : '';
}

/** Looks whether a program can be kept in a sandbox here. Never rejects. */
export async function findSandboxTool({
  platform,
  arch,
}: Pick<NodeJS.Process, 'platform' | 'arch'> = process): Promise<SandboxAvailability> {
  const deadline = AbortSignal.timeout(patience);
  if (platform !== 'linux') {
    const system = platform === 'darwin' ? 'macOS' : 'Windows';
    return { problem: sentence('There is no sandbox on {0} yet.', system) };
  }
  if (!isSeccompArch(arch)) {
    return { problem: sentence('There is no sandbox for processors of the kind {0} yet.', arch) };
  }
  const path = await firstProgram(places);
  if (path === undefined) {
    return { problem: sentence(notInstalled) };
  }
  const said = await run({ command: path, args: ['--version'], inputs: [] }, deadline);
  const version = /\d+(?:\.\d+)+/.exec(said.words)?.[0];
  if (version === undefined) {
    const silent = sentence('{0} does not say which version it is.', path);
    return { problem: said.isGood ? silent : refusal(said.words) };
  }
  const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const tool = bubblewrapTool({ path, version, ...user }, arch);
  const inItself = await tryOut(tool, nested, deadline);
  if (inItself.isGood) {
    return { tool };
  }
  const { isGood, words } = await tryOut(tool, [], deadline);
  return { problem: isGood ? sentence(notInItself, firstLine(inItself.words)) : refusal(words) };
}

function bubblewrapTool(bubblewrap: Bubblewrap, arch: SeccompArch): SandboxTool {
  return {
    name: `bubblewrap ${bubblewrap.version}`,
    start: (world, program) => {
      const start = bubblewrapStart(bubblewrap, world, program);
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

/**
 * Why a program with unix sockets can't be kept from those of others here; `undefined`: it can. Never
 * rejects.
 */
export async function unixSocketsProblem(tool: SandboxTool): Promise<Sentence | undefined> {
  const { isGood, words } = await tryOut(tool, [], AbortSignal.timeout(patience), true);
  return isGood ? undefined : sentence(noSockets, firstLine(words));
}

/** A hidden folder, which takes a bubblewrap in a bubblewrap. */
const nested: World['hidden'] = [{ path: '/tmp', isFolder: true }];

/** Starts a program that does nothing in a world of nothing, with all the flags of a real start. */
function tryOut(
  tool: SandboxTool,
  hidden: World['hidden'],
  deadline: AbortSignal,
  hasUnixSockets = false,
): Promise<ToolOutput> {
  const world: World = {
    ...{ shown: [], hidden, links: new Map(), empty: ['/tmp'] },
    ...{ cwd: '/', env: {}, hasNetwork: false, hasUnixSockets },
  };
  return run(tool.start(world, ['/bin/sh', '-c', ':']), deadline);
}

interface ToolOutput {
  readonly isGood: boolean;
  readonly words: string;
}

/** Runs a program until it ends, or is killed at the deadline. Never rejects. */
function run(
  { command, args, inputs }: Pick<ToolStart, 'command' | 'args' | 'inputs'>,
  deadline: AbortSignal,
): Promise<ToolOutput> {
  return new Promise(resolve => {
    const said: string[] = [];
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe', ...inputs.map(() => 'pipe' as const)],
      cwd: '/',
      env: {},
      signal: deadline,
      killSignal: 'SIGKILL',
    });
    for (const output of [child.stdout, child.stderr]) {
      output?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    }
    giveInputs(child.stdio, inputs);
    // A process that it has started may hold them open for ever.
    deadline.addEventListener('abort', () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    });
    child.once('error', error => {
      const words = deadline.aborted ? `no answer within ${patience} ms` : error.message;
      resolve({ isGood: false, words });
    });
    child.once('close', code => resolve({ isGood: code === 0, words: said.join('').trim() }));
  });
}

async function firstProgram(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    ) {
      return path;
    }
  }
  return undefined;
}

const notInstalled =
  'bubblewrap is missing, with which the system keeps a server in its folders. Install it ("sudo apt install bubblewrap", "sudo dnf install bubblewrap", "sudo pacman -S bubblewrap") and start again.';

const notInItself =
  'bubblewrap can\'t run in itself here ({0}), which it takes to guard what lies in a folder. On Ubuntu, allow it a profile of AppArmor: see "Kept in its folders by the system" in the help.';

const noSockets =
  'The "unixSockets" of its sandbox take Linux 6.12 or later with Landlock, and /usr/bin/perl ({0}). Update the system, or leave them out.';

/** The advice for a refusal of the system, by the words of bubblewrap. */
function refusal(words: string): Sentence {
  const known = refusals.find(({ says }) => says.test(words));
  return sentence(known?.advice ?? 'bubblewrap does not work here: {0}', firstLine(words));
}

function firstLine(words: string): string {
  return printable(words.split('\n', 1)[0] ?? '');
}

const refusals: readonly { readonly says: RegExp; readonly advice: string }[] = [
  {
    says: /nesting depth|ENOSPC|No space left/i,
    advice:
      'This is a sandbox already, in which no other can be made ({0}). Run the editor or the hub outside of it.',
  },
  {
    says: /uid map: Permission denied|RTM_NEWADDR/,
    advice:
      'The system lets bubblewrap make no sandbox ({0}). On Ubuntu, allow it a profile of AppArmor: see "Kept in its folders by the system" in the help.',
  },
  {
    says: /new namespace|Operation not permitted|Permission denied/i,
    advice:
      'The system lets bubblewrap make no sandbox ({0}). In a container, start that with namespaces allowed, for example with "--security-opt seccomp=unconfined"; elsewhere, set "kernel.unprivileged_userns_clone" to 1.',
  },
];
