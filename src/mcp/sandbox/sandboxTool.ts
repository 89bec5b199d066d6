import { spawn } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { printable } from '../../domain/printable.ts';
import { type Bubblewrap, bubblewrapStart, type World } from '../../domain/sandbox/bubblewrap.ts';
import { seatbeltProfile } from '../../domain/sandbox/seatbelt.ts';
import { isSeccompArch, type SeccompArch, seccompProgram } from '../../domain/sandbox/seccomp.ts';
import { type Sentence, sentence } from '../../domain/sentence.ts';
import type { ProcessStart } from '../stdio/serverProcess.ts';

/** What this machine makes a sandbox with. */
export interface SandboxTool {
  /** With its version, such as `bubblewrap 0.8.0`. */
  readonly name: string;
  /** Whether nobody of us has tried it. */
  readonly isPreview: boolean;
  /**
   * Whether it mounts what it shows: what that is it compares then, and a program has folders for
   * temporary files that nobody else sees.
   */
  readonly isMounting: boolean;
  /** How to start a program in a world; `undefined`: one folder in another can't be shown as it is to be. */
  readonly start: (world: World, program: readonly string[]) => ToolStart | undefined;
}

/** How to start the program that makes a sandbox. */
type ToolStart = Required<Pick<ProcessStart, 'command' | 'args' | 'cwd' | 'env' | 'inputs'>>;

/** The sandbox of this machine, or why there is none and what to do. */
export type SandboxAvailability =
  | { readonly tool: SandboxTool; readonly problem?: undefined }
  | { readonly tool?: undefined; readonly problem: Sentence };

/** Only where the system keeps its programs: another one of that name would see everything. */
const places = ['/usr/bin/bwrap', '/bin/bwrap'];

const seatbelt = '/usr/bin/sandbox-exec';

/** How long bubblewrap may take to say whether it works, in milliseconds. */
const patience = 3000;

/**
 * Tells the file of the program that makes sandboxes here from any other that may take its place. Never
 * rejects; empty: there is none.
 */
export async function toolFile(): Promise<string> {
  const path = process.platform === 'darwin' ? seatbelt : await firstProgram(places);
  const found = path && (await stat(path, { bigint: true }).catch(() => undefined));
  return found ? [path, found.dev, found.ino, found.size, found.mtimeNs].join(':') : '';
}

/** Looks whether a program can be kept in a sandbox here. Never rejects. */
export async function findSandboxTool(): Promise<SandboxAvailability> {
  const { platform, arch } = process;
  if (platform === 'darwin') {
    const { isGood, words } = await tryOut(seatbeltTool);
    return isGood
      ? { tool: seatbeltTool }
      : { problem: sentence('sandbox-exec does not work here: {0}', printable(words)) };
  }
  if (platform !== 'linux') {
    return { problem: sentence('There is no sandbox on Windows yet.') };
  }
  if (!isSeccompArch(arch)) {
    return { problem: sentence('There is no sandbox for processors of the kind {0} yet.', arch) };
  }
  const path = await firstProgram(places);
  if (path === undefined) {
    return { problem: sentence(notInstalled) };
  }
  const version = /\d+(?:\.\d+)+/.exec((await run(path, ['--version'])).words)?.[0];
  if (version === undefined) {
    return { problem: sentence('{0} does not say which version it is.', path) };
  }
  const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const bubblewrap = { path, version, ...user };
  const plain = bubblewrapTool({ ...bubblewrap, canNest: false }, arch);
  const nested = bubblewrapTool({ ...bubblewrap, canNest: true }, arch);
  if ((await tryOut(nested)).isGood) {
    return { tool: nested };
  }
  const { isGood, words } = await tryOut(plain);
  return isGood ? { tool: plain } : { problem: refusal(words) };
}

function bubblewrapTool(bubblewrap: Bubblewrap, arch: SeccompArch): SandboxTool {
  return {
    name: `bubblewrap ${bubblewrap.version}`,
    isPreview: false,
    isMounting: true,
    start: (world, program) => {
      const start = bubblewrapStart(bubblewrap, world, program);
      return (
        start && {
          command: bubblewrap.path,
          args: start.args,
          cwd: '/',
          env: {},
          inputs: [start.options, seccompProgram(arch)],
        }
      );
    },
  };
}

/** The sandbox of macOS. None of us has one: this is as its documents and others' profiles have it. */
export const seatbeltTool: SandboxTool = {
  name: 'sandbox-exec of macOS (preview)',
  isPreview: true,
  isMounting: false,
  start: (world, program) => ({
    command: seatbelt,
    args: ['-p', seatbeltProfile(world), ...program],
    cwd: world.cwd,
    env: world.env,
    inputs: [],
  }),
};

/** Starts a program that does nothing in a world of nothing, with all the flags of a real start. */
function tryOut(tool: SandboxTool): Promise<Said> {
  const start = tool.start(
    {
      shown: [],
      guarded: [{ path: '/tmp', as: 'read-only' }],
      links: new Map(),
      empty: ['/tmp'],
      cwd: '/',
      env: {},
      hasNetwork: false,
    },
    ['/bin/sh', '-c', ':'],
  );
  return start
    ? run(start.command, start.args, start.inputs)
    : Promise.resolve({ isGood: false, words: '' });
}

interface Said {
  readonly isGood: boolean;
  readonly words: string;
}

function run(
  command: string,
  args: readonly string[],
  inputs: readonly (string | Uint8Array)[] = [],
): Promise<Said> {
  return new Promise(resolve => {
    const said: string[] = [];
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe', ...inputs.map(() => 'pipe' as const)],
      cwd: '/',
      env: {},
      timeout: patience,
      killSignal: 'SIGKILL',
    });
    for (const output of [child.stdout, child.stderr]) {
      output?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    }
    for (const [index, input] of inputs.entries()) {
      const pipe = child.stdio[3 + index] as Writable;
      pipe.on('error', () => {}); // It has ended, which is heard of below.
      pipe.end(input);
    }
    child.once('error', error => resolve({ isGood: false, words: error.message }));
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
  'The program bubblewrap is missing, which keeps it in its folders. Install it ("sudo apt install bubblewrap", "sudo dnf install bubblewrap", "sudo pacman -S bubblewrap") and start again.';

/** What bubblewrap says where the system refuses it, and what helps. */
function refusal(words: string): Sentence {
  const [first = ''] = words.split('\n');
  const known = refusals.find(({ says }) => says.test(words));
  return sentence(known?.advice ?? 'bubblewrap does not work here: {0}', printable(first));
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
      'The system lets bubblewrap make no sandbox ({0}). On Ubuntu, install the package "apparmor-profiles" and load its profile "bwrap-userns-restrict".',
  },
  {
    says: /new namespace|Operation not permitted|Permission denied/i,
    advice:
      'The system lets bubblewrap make no sandbox ({0}). In a container, start that with namespaces allowed, for example with "--security-opt seccomp=unconfined"; elsewhere, set "kernel.unprivileged_userns_clone" to 1.',
  },
];
