import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { jsonIn } from '../../base/jsonIn.ts';
import { certificatesIn } from '../../domain/sandbox/programNeeds.ts';
import { foldersAbove, isAtOrBelow } from '../../domain/sandbox/systemPlaces.ts';
import { HumanError, inEnglish, isHumanError } from '../../domain/sentence.ts';
import {
  type InstallStep,
  installStep,
  withCaches,
  withoutFetching,
} from '../../domain/servers/installStep.ts';
import type { StartRoot } from '../../domain/servers/rootsChange.ts';
import { failureSentence, LackError } from '../../domain/servers/serverFailure.ts';
import { readPlainFile } from '../process/plainFile.ts';
import { removeFolder } from '../process/removeFolder.ts';
import type { ProcessOwner } from '../process/stdio/processOwner.ts';
import type { ProcessStart } from '../process/stdio/serverProcess.ts';
import { defaultTimes } from '../process/times.ts';
import { runToEnd } from './runToEnd.ts';
import { type SandboxRequest, sandboxedStart } from './sandboxedStart.ts';
import type { SandboxTool } from './sandboxTool.ts';
import {
  filesIn,
  findCopy,
  homeIn,
  markCopy,
  newCopy,
  type ServerStorage,
  takeOutdated,
} from './serverStorage.ts';

/** The storage of servers, and the owner of the processes that install them. */
export interface Installations {
  readonly storage: ServerStorage;
  readonly owner: ProcessOwner;
}

/** The server to start. */
export interface InstalledServer extends SandboxRequest {
  /** Names the server's folder, and never changes. `undefined`: it stores and fetches nothing. */
  readonly key?: string;
  /** Changes with the definition. The server is then installed anew, and keeps what it stored. */
  readonly identity: string;
  /** Aborted when the start is cancelled. */
  readonly signal: AbortSignal;
}

/**
 * Returns the start of a server in a sandbox. If a program such as `npx` runs the server, the first
 * start fetches the server into its folder, with the network and without roots. Later starts run
 * this copy. Besides its roots, the server can change the copy and its home.
 *
 * @throws {HumanError} when the installation fails or is cancelled, or no sandbox can be made.
 */
export async function installedStart(
  start: ProcessStart,
  server: InstalledServer,
  tool: SandboxTool,
  installations: Installations,
): Promise<ProcessStart> {
  const { roots, own = [], terms, key } = server;
  if (key === undefined) {
    return sandboxedStart(start, server, tool);
  }
  const folder = await installations.storage.open(key);
  const home = homeIn(folder);
  const step = installStep(start.command, start.args);
  if (!step || (await isOfProject(step, start.cwd, roots))) {
    return sandboxedStart(start, { ...server, home }, tool);
  }
  const copy = await installed({ ...start, args: step.args }, server, tool, installations, folder);
  const files = join(copy, 'files');
  const env = withoutFetching(withCaches(start.env, files, start.command), terms.network);
  return sandboxedStart(
    { ...start, env, mayDownload: false },
    { ...server, home, own: [...own, files], before: await programFirst(step, files) },
    tool,
  );
}

/**
 * The command that goes before `npx` in the sandbox. It runs the installed program itself, because
 * `npx` would stay and take as much memory. If the program is not there, it runs `npx`.
 */
async function programFirst({ runs }: InstallStep, files: string): Promise<readonly string[]> {
  const projects = join(files, 'npm', '_npx');
  const [project = '', ...others] = await readdir(projects).catch(() => []);
  if (!runs || project === '' || others.length > 0) {
    return [];
  }
  // The server can change these files. So they only name a program, which the sandbox looks up.
  const modules = join(projects, project, 'node_modules');
  const { text } = await readPlainFile(join(modules, runs.name, 'package.json'), [files]);
  const { bin } = Object(jsonIn(text));
  const own = basename(runs.name);
  const names = typeof bin === 'string' ? [own] : Object.keys(Object(bin));
  const name = names.length === 1 ? names[0] : names.find(one => one === own);
  const isName = name !== undefined && /^\w[\w.-]*$/.test(name);
  return isName ? ['/bin/sh', '-c', runProgram, join(modules, '.bin', name), `${runs.at + 1}`] : [];
}

/** As `npx` does, puts the programs of the project on the path. */
const runProgram = `n=$1; shift; [ -x "$0" ] || exec "$@"
shift "$n"; PATH="\${0%/*}:$PATH" exec "$0" "$@"`;

/** The program's copy to run, installed if needed. A failed update leaves the earlier copy. */
async function installed(
  step: ProcessStart,
  server: InstalledServer,
  tool: SandboxTool,
  { storage, owner }: Installations,
  folder: string,
): Promise<string> {
  const words = JSON.stringify([server.identity, step.command, ...step.args]);
  const mark = createHash('sha256').update(words).digest('hex');
  const isOutdated = await takeOutdated(folder);
  const found = isOutdated ? undefined : await findCopy(folder, mark);
  if (found !== undefined) {
    await utimes(found, new Date(), new Date());
    return found;
  }
  // If this fails, the next installation tries to remove the old copies again.
  await storage.clearUp().catch(() => {});
  const copy = await newCopy(folder);
  try {
    await markCopy(copy, mark, await install(step, server, tool, owner, copy));
    return copy;
  } catch (error) {
    await removeFolder(copy);
    throw isOutdated && isHumanError(error)
      ? new HumanError(notUpdated, inEnglish(error.sentence))
      : error;
  }
}

const notUpdated =
  'The server was not updated. Its next start uses the program that was installed before. {0}';
const failed = 'The installation {0}';

/** Fetches the program into the new copy. Returns the time when the program was complete. */
async function install(
  start: ProcessStart,
  server: InstalledServer,
  tool: SandboxTool,
  owner: ProcessOwner,
  copy: string,
): Promise<Date> {
  const files = join(copy, 'files');
  const runStep = (step: ProcessStart, read: readonly string[], network: boolean) => {
    // npm gives up if the times of its lock stay the same for two seconds.
    const request = {
      terms: { read, write: [], network },
      roots: [],
      own: [files],
      setsTimes: true,
    };
    return run(step, request, server, tool, owner);
  };
  await mkdir(files);
  const step = { ...start, cwd: files, env: withCaches(start.env, files, start.command) };
  // If the server has no network, this step must not send files out, so it reads only certificates.
  const { read, network } = server.terms;
  const trusted = certificatesIn(start.env);
  await runStep(step, network ? read : read.filter(path => trusted.includes(path)), true);
  if (!tool.hasNamespaces) {
    // There, no program can make a file executable. By now, nothing runs that could put links here.
    await Promise.all((await filesIn(files)).map(path => chmod(path, 0o700)));
  }
  const fetched = new Date();
  // Only the last copy counts, because the server may have deleted files that an older copy has.
  const before = await findCopy(dirname(copy));
  if (before !== undefined) {
    // The server may have made links. In this sandbox, they lead to no other files of the user.
    const carrying = ['-c', carryOver, 'sh', before];
    await runStep({ ...step, command: '/bin/sh', args: carrying }, [before], false);
  }
  return fetched;
}

/** A script that copies what the server stored beside programs of npx. It overwrites no file. */
const carryOver = `for new in "$PWD"/npm/_npx/*; do for old in "$1"/files/npm/_npx/*; do
cd "$old" && find . -cnewer "$1/installed" -type f -exec cp -n --parents {} "$new" \\;
done; done; :`;

/** Runs a step of an installation in the sandbox, to its end. */
async function run(
  step: ProcessStart,
  request: SandboxRequest,
  { signal }: InstalledServer,
  tool: SandboxTool,
  owner: ProcessOwner,
): Promise<void> {
  const sandboxed = await sandboxedStart(step, request, tool);
  if (signal.aborted) {
    throw new HumanError('The installation was canceled.');
  }
  const tooLong = AbortSignal.timeout(defaultTimes.download);
  const end = await runToEnd(sandboxed, owner, AbortSignal.any([signal, tooLong]));
  if (end.error) {
    throw end.error;
  }
  if (end.code !== 0 || signal.aborted) {
    const why = inEnglish(failureSentence({ kind: 'ended', end }));
    throw new LackError('installation', failed, why);
  }
}

/** Whether a folder in a root has the program: the working directory, or a folder above it. */
async function isOfProject(
  { ofProject }: InstallStep,
  cwd: string,
  roots: readonly StartRoot[],
): Promise<boolean> {
  if (ofProject === undefined) {
    return false;
  }
  const seen = [cwd, ...foldersAbove(cwd)].filter(folder =>
    roots.some(({ path }) => isAtOrBelow(folder, path)),
  );
  const places = seen.map(folder => join(folder, ofProject));
  const found = await Promise.all(places.map(path => stat(path).catch(() => undefined)));
  return found.some(one => one !== undefined);
}
