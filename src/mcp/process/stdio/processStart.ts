import { access, constants, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { secretValues } from '../../../domain/secrets/redact.ts';
import { HumanError, inEnglish, sentence } from '../../../domain/sentence.ts';
import { mayDownload, type StdioLaunch } from '../../../domain/servers/launch.ts';
import { LackError } from '../../../domain/servers/serverFailure.ts';
import { readEnvFile } from '../../../domain/settings/envFile.ts';
import { readPlainFile } from '../plainFile.ts';
import { serverEnvironment, withheldProxies } from './environment.ts';
import { alongPath } from './posixCommand.ts';
import type { ProcessStart } from './serverProcess.ts';
import { windowsCommand } from './windowsCommand.ts';

/** A launch with its variables expanded, and the values that went into it. */
export interface ExpandedLaunch {
  readonly launch: StdioLaunch;
  /** The secret values in the launch. */
  readonly secrets: readonly string[];
  /** The working directory, unless the launch names another, which may be relative to this folder. */
  readonly folder: string;
  /** Folders with contents of a repository. The environment file may be one of these contents. */
  readonly workspace: readonly string[];
  /** Whether the environment file may have this text. Left out: any text. */
  readonly isEnvFileBound?: (text: string) => boolean;
  /** The environment to inherit from. Left out: our own. */
  readonly own?: Readonly<Record<string, string | undefined>>;
}

/**
 * The start of a process. It gets the launch's variables, and variables of ours that programs need.
 * It runs in the launch's working directory, or else in the given folder.
 *
 * @throws {HumanError} when the directory or the file of variables is missing or not usable.
 */
export async function processStart({
  launch,
  secrets,
  folder,
  workspace,
  isEnvFileBound = () => true,
  own = process.env,
}: ExpandedLaunch): Promise<ProcessStart> {
  const cwd = resolve(folder, launch.cwd ?? '');
  // For a missing folder, the system would report a missing program.
  if (!(await isUsable(cwd, constants.R_OK | constants.X_OK, 'isDirectory'))) {
    throw new LackError(
      { named: sentence('no folder "{0}"', basename(cwd)) },
      'The working directory {0} is not a readable folder.',
      cwd,
    );
  }
  const fromFile = launch.envFile
    ? await variablesOf(resolve(cwd, launch.envFile), workspace, isEnvFileBound)
    : {};
  const named = { ...fromFile, ...launch.env };
  return {
    command: launch.command,
    args: launch.args,
    cwd,
    env: serverEnvironment(own, named, process.platform),
    withheldProxies: withheldProxies(own, named, process.platform),
    secrets: [...secrets, ...secretValues(fromFile)],
    mayDownload: mayDownload(launch),
  };
}

async function variablesOf(
  path: string,
  workspace: readonly string[],
  isBound: (text: string) => boolean,
): Promise<Readonly<Record<string, string>>> {
  const { text, problem: unread } = await readPlainFile(path, workspace);
  if (unread) {
    throw new HumanError('The "envFile" {0} can\'t be read. {1}', path, unread);
  }
  if (text === undefined) {
    const named = sentence('no file "{0}"', basename(path));
    throw new LackError({ named }, 'The "envFile" {0} does not exist.', path);
  }
  if (!isBound(text)) {
    throw new HumanError(
      'The "envFile" {0} changed since you allowed the server. Start the server again.',
      path,
    );
  }
  const read = readEnvFile(text);
  const [problem] = read.problems;
  if (problem) {
    throw new HumanError('The "envFile" {0} has a mistake: {1}', path, inEnglish(problem));
  }
  return read.variables;
}

/** Whether the program exists, where the system would look for it with the start's variables. */
export async function isProgramThere(start: ProcessStart): Promise<boolean> {
  if (process.platform === 'win32') {
    return isFoundByWindows(start);
  }
  const { command, cwd, env } = start;
  const paths = command.includes('/') ? [resolve(cwd, command)] : alongPath(command, env['PATH']);
  const found = await Promise.all(paths.map(path => isUsable(path, constants.X_OK, 'isFile')));
  return found.includes(true);
}

/** Whether Windows finds the command. Arguments that a batch file can't take are reported later. */
function isFoundByWindows(start: ProcessStart): boolean {
  try {
    windowsCommand({ ...start, args: [] });
    return true;
  } catch {
    return false;
  }
}

async function isUsable(path: string, rights: number, kind: 'isDirectory' | 'isFile') {
  try {
    await access(path, rights);
    return (await stat(path))[kind]();
  } catch {
    return false; // The path leads nowhere, or we may not use it.
  }
}
