import { accessSync, constants, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, parse, relative, sep } from 'node:path';
import { runInNewContext } from 'node:vm';
import { codeOf } from '../../base/messageOf.ts';
import type { GuardMachine } from '../../domain/guard/pathJudge.ts';
import { locatePath } from '../../server/paths/locate.ts';

export const thisMachine: GuardMachine = {
  locate: locatePath,
  isThere,
  isFirstThere,
  canBeMade,
  kernelPath,
  inTime,
};

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A path can exist if the system does not let us look. With an impossible name, it can't.
    return /^E(?:ACCES|PERM|BUSY)$/.test(codeOf(error) ?? '');
  }
}

function isFirstThere(path: string): boolean {
  const { root } = parse(path);
  const [first = ''] = relative(root, path).split(sep);
  try {
    return readdirSync(root).includes(first);
  } catch {
    return true;
  }
}

/** Whether this user could create the path: the nearest existing folder above it is writable. */
function canBeMade(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (isThere(folder) || folder === dirname(folder)) {
      try {
        accessSync(folder, constants.W_OK);
        return lstatSync(folder).isDirectory() || lstatSync(realpathSync(folder)).isDirectory();
      } catch {
        return false;
      }
    }
  }
}

/**
 * The path that the kernel reaches by a path with `..`. The kernel goes up from a link's target,
 * not from the link. `undefined`: the path can't be found out.
 */
function kernelPath(path: string): string | undefined {
  const names = path.split('/');
  // The names after the last `..` may not exist yet.
  const end = names.lastIndexOf('..') + 1;
  try {
    const folder = realpathSync.native(names.slice(0, end).join('/') || '/');
    return [folder === '/' ? '' : folder, ...names.slice(end)].join('/');
  } catch {
    return undefined;
  }
}

/** Time limit for matching a pattern, in milliseconds. A short stall of the machine counts, too. */
const longestPattern = 500;

/** The result of `work`. `undefined`: it took too long. Each call takes an extra millisecond. */
function inTime<T>(work: () => T): T | undefined {
  let made: T | undefined;
  const run = () => {
    made = work();
  };
  try {
    runInNewContext('run()', { run }, { timeout: longestPattern });
  } catch (error) {
    // Not `instanceof`: the error comes from another V8 context.
    if (Object(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw error;
    }
  }
  return made;
}
