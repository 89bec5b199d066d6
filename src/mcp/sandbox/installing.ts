import { createHash } from 'node:crypto';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  type InstallStep,
  installStep,
  withCaches,
  withoutFetching,
} from '../../domain/sandbox/installStep.ts';
import { certificatesIn } from '../../domain/sandbox/programNeeds.ts';
import { foldersAbove, isAtOrBelow } from '../../domain/sandbox/systemPlaces.ts';
import { HumanError, inEnglish, isHumanError } from '../../domain/sentence.ts';
import type { StartRoot } from '../../domain/servers/rootsChange.ts';
import { failureSentence, LackError } from '../../domain/servers/serverFailure.ts';
import { hasEnded } from '../stdio/markedProcesses.ts';
import type { ProcessOwner } from '../stdio/processOwner.ts';
import { type ProcessStart, ServerProcess } from '../stdio/serverProcess.ts';
import { defaultTimes } from '../times.ts';
import { type SandboxRequest, sandboxedStart } from './sandboxedStart.ts';
import type { SandboxTool } from './sandboxTool.ts';

/** The place of installed servers, and the owner of the processes that install. */
export interface Installations {
  /** A folder for this alone; made when it is needed. */
  readonly storage: string;
  readonly owner: ProcessOwner;
}

/** The server that is to start. */
export interface InstalledServer extends SandboxRequest {
  /** Another one when the server is another. What one installed, no other runs. */
  readonly identity: string;
  /** Aborted when the start is called off. */
  readonly signal: AbortSignal;
}

/**
 * The sandboxed start of a server that a program such as `npx` may run. Its first start fetches it, with the
 * network and without a root, into a folder of its own: the only one that it can change besides its roots.
 * Later starts run what is there.
 *
 * @throws {HumanError} when that fails, or the start is called off.
 */
export async function installedStart(
  start: ProcessStart,
  server: InstalledServer,
  tool: SandboxTool,
  installations: Installations,
): Promise<ProcessStart> {
  const { roots, own = [], terms } = server;
  const step = installStep(start.command, start.args);
  if (!step || (await isOfProject(step, start.cwd, roots))) {
    return sandboxedStart(start, server, tool);
  }
  const mark = hashOf(JSON.stringify([start.command, ...start.args]));
  const files =
    (await findCopy(installations.storage, server.identity, mark)) ??
    (await installOrKeep({ ...start, args: step.args }, server, tool, installations, mark));
  const env = withoutFetching(withCaches(start.env, files), terms.network);
  return sandboxedStart({ ...start, env }, { ...server, own: [...own, files] }, tool);
}

/**
 * Has a server be installed anew at its next start. What runs of it goes on running, and where that
 * start fails, later ones use what is installed now.
 */
export async function forgetInstalled(storage: string, identity: string): Promise<void> {
  for (const copy of await copiesIn(storage, identity)) {
    await writeFile(join(copy, outdatedName), '');
  }
}

/** Removes all that was installed for servers of this identity. None of them may run. */
export async function removeInstalled(storage: string, identity: string): Promise<void> {
  for (const copy of await copiesIn(storage, identity)) {
    await rm(copy, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Beside the files that the server can change: it must not have itself installed with the network. */
const markName = 'installed';
const outdatedName = 'outdated';
const day = 24 * 60 * 60_000;
/** A copy is kept this long without a start, in milliseconds. An unfinished one goes at once. */
const kept = 30 * day;

/** Installs anew. That retires the outdated copies; a failure makes them current again. */
async function installOrKeep(
  start: ProcessStart,
  server: InstalledServer,
  tool: SandboxTool,
  installations: Installations,
  mark: string,
): Promise<string> {
  const outdated: string[] = [];
  for (const copy of await copiesIn(installations.storage, server.identity)) {
    if (await isThere(join(copy, outdatedName))) {
      outdated.push(copy);
    }
  }
  const unmark = (name: string) =>
    Promise.all(outdated.map(copy => rm(join(copy, name), { force: true })));
  try {
    const files = await install(start, server, tool, installations, mark);
    await unmark(markName);
    return files;
  } catch (error) {
    await unmark(outdatedName);
    throw outdated.length > 0 && isHumanError(error)
      ? new HumanError(
          'It was not updated, and its next start uses what was installed before. {0}',
          inEnglish(error.sentence),
        )
      : error;
  }
}

async function install(
  start: ProcessStart,
  server: InstalledServer,
  tool: SandboxTool,
  { storage, owner }: Installations,
  mark: string,
): Promise<string> {
  await mkdir(storage, { recursive: true, mode: 0o700 });
  await removeUnused(storage);
  // Each time another: a copy of before may be running, in another window.
  const name = `${keyOf(server.identity)}-${process.pid}-`;
  const copy = await mkdtemp(join(await realpath(storage), name));
  const files = join(copy, 'files');
  try {
    await mkdir(files);
    await run(start, files, server, tool, owner);
    await writeFile(join(copy, markName), mark);
    return files;
  } catch (error) {
    await rm(copy, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
}

/**
 * Runs the installation with the network. A server that gets no network reads nothing in it but certificates:
 * all else could go out.
 */
async function run(
  start: ProcessStart,
  files: string,
  { terms, signal }: InstalledServer,
  tool: SandboxTool,
  owner: ProcessOwner,
): Promise<void> {
  const step = { ...start, cwd: files, env: withCaches(start.env, files) };
  const trusted = certificatesIn(start.env);
  const read = terms.network ? terms.read : terms.read.filter(path => trusted.includes(path));
  const alone = { read, write: [], network: true };
  const sandboxed = await sandboxedStart(step, { terms: alone, roots: [], own: [files] }, tool);
  if (signal.aborted) {
    throw new HumanError('It was called off.');
  }
  const installer = new ServerProcess(sandboxed, owner);
  const end = () => void installer.stop({ end: 0, terminate: 0 });
  const tooLong = setTimeout(end, defaultTimes.download);
  signal.addEventListener('abort', end);
  installer.child.stdin.end();
  installer.child.stdout.resume();
  const ended = await installer.ended;
  clearTimeout(tooLong);
  signal.removeEventListener('abort', end);
  if (ended.error) {
    throw ended.error;
  }
  if (ended.code !== 0 || signal.aborted) {
    const why = inEnglish(failureSentence({ kind: 'ended', end: ended }));
    throw new LackError('installation', 'Its installation {0}', why);
  }
}

async function findCopy(
  storage: string,
  identity: string,
  mark: string,
): Promise<string | undefined> {
  for (const copy of await copiesIn(storage, identity)) {
    const found = await readFile(join(copy, markName), 'utf8').catch(() => undefined);
    if (found === mark && !(await isThere(join(copy, outdatedName)))) {
      const now = new Date();
      await utimes(join(copy, markName), now, now);
      return join(await realpath(copy), 'files');
    }
  }
  return undefined;
}

async function removeUnused(storage: string): Promise<void> {
  for (const copy of await copiesIn(storage, undefined)) {
    const marked = await stat(join(copy, markName)).catch(() => undefined);
    const isUsed = marked
      ? Date.now() - marked.mtimeMs <= kept
      : !hasEnded(Number(/^[\da-f]+-(\d+)-/.exec(basename(copy))?.[1] ?? 0));
    if (!isUsed) {
      await rm(copy, { recursive: true, force: true });
    }
  }
}

async function copiesIn(storage: string, identity: string | undefined): Promise<string[]> {
  const names = await readdir(storage).catch(() => []);
  const beginning = identity === undefined ? '' : `${keyOf(identity)}-`;
  return names.filter(name => name.startsWith(beginning)).map(name => join(storage, name));
}

/** Short: a `#!` line has room for few characters. */
function keyOf(identity: string): string {
  return hashOf(identity).slice(0, 16);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Whether a folder that the server sees has the program in its project. */
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
  const found = await Promise.all(seen.map(folder => isThere(join(folder, ofProject))));
  return found.includes(true);
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
