import { isAbsolute, resolve } from 'node:path';
import { isJsonObject } from '../json.ts';
import { type SandboxWords, sandboxTerms } from '../sandbox/sandboxTerms.ts';
import { runsContainers } from '../servers/fetchingPrograms.ts';
import type { Launch } from '../servers/launch.ts';
import { type DefinitionHost, readPath } from './definitionVariables.ts';
import { checkKnown, type Mistakes, readKeys, readSwitch, readTexts } from './mistakes.ts';
import { variablesIn } from './variables.ts';

/** Reads the value of the key `sandbox`. What is not understood opens nothing: it is for a sandbox. */
export function readSandbox(
  value: unknown,
  mistakes: Mistakes,
  host: DefinitionHost,
): SandboxWords | undefined {
  if (value === undefined || value === 'off') {
    return value;
  }
  if (!isJsonObject(value) && value !== 'on') {
    const form = '"off", "on" or { "read": ["/path"], "write": ["/path"], "network": true }';
    mistakes.addAt([], 'must be {0}.', form);
    return { read: [], write: [], network: false };
  }
  const words = value === 'on' ? {} : value;
  checkKnown(words, Object.keys(sandboxKeys), mistakes);
  return readKeys(words, sandboxKeys, mistakes, host);
}

const sandboxKeys = {
  read: readPaths,
  write: readPaths,
  network: readOpening,
  unixSockets: readOpening,
};

function readOpening(value: unknown, mistakes: Mistakes): boolean | undefined {
  return value === undefined ? undefined : (readSwitch(value, mistakes) ?? false);
}

/** The paths, each once and in order. One in a folder that this window has not is left out. */
function readPaths(value: unknown, mistakes: Mistakes, host: DefinitionHost) {
  if (value === undefined) {
    return undefined;
  }
  const paths = readTexts(value, mistakes, [''])?.flatMap((text, index) => {
    const written = text.replace(/^~(?=$|\/)/, '${userHome}');
    const path = readPath(written, [index], mistakes, host);
    if (variablesIn(path).length > 0) {
      return [];
    }
    if (!isAbsolute(path)) {
      mistakes.addAt([index], 'must be an absolute path; it may begin with "~/".');
      return [];
    }
    return [resolve(path)];
  });
  return [...new Set(paths)].sort();
}

/** Notes a sandbox that would keep from a program all that it works with. */
export function checkSandboxed(
  launch: Launch,
  sandbox: SandboxWords | undefined,
  mistakes: Mistakes,
): void {
  if (sandboxTerms(sandbox) && launch.type === 'stdio' && runsContainers(launch.command)) {
    mistakes.addAt('sandbox', ofContainers);
  }
}

const ofContainers =
  'cannot be kept: a program that runs containers works over a socket that no sandbox shows. Leave it out.';
