import { isAbsolute, resolve } from 'node:path';
import { isJsonObject, type JsonObject, type KeyPath } from '../json.ts';
import type { SandboxTerms, SandboxWords } from '../sandbox/sandboxTerms.ts';
import { runsContainers } from '../servers/fetchingPrograms.ts';
import type { Launch } from '../servers/launch.ts';
import { checkPaths, fillFolders, type Surroundings } from './definitionVariables.ts';
import { checkCharacters, type Mistakes, noteUnknown, readSwitch, readTexts } from './mistakes.ts';
import { variablesIn } from './variables.ts';

const keys = ['read', 'write', 'network', 'unixSockets'];

/** Reads the value of the key `sandbox`. What is not understood opens nothing: it is for a sandbox. */
export function readSandbox(
  value: unknown,
  around: Surroundings,
  mistakes: Mistakes,
  checkVariables: (place: KeyPath, text: string, mistakes: Mistakes) => void,
): SandboxWords | undefined {
  if (value === undefined || value === 'off') {
    return value;
  }
  if (value === 'on') {
    return readWords({});
  }
  if (!isJsonObject(value)) {
    const form = '"off", "on" or { "read": ["/path"], "write": ["/path"], "network": true }';
    mistakes.addAt('sandbox', 'must be {0}.', form);
    return { read: [], write: [], network: false };
  }
  return mistakes.within(['sandbox'], () => readWords(value));

  function readWords({ read, write, network, unixSockets, ...others }: JsonObject): SandboxWords {
    for (const key of Object.keys(others)) {
      noteUnknown(key, keys, mistakes);
    }
    return {
      read: read === undefined ? undefined : readPaths(read, 'read'),
      write: write === undefined ? undefined : readPaths(write, 'write'),
      network: readOpening(network, 'network'),
      ...(unixSockets !== undefined && { unixSockets: readOpening(unixSockets, 'unixSockets') }),
    };
  }

  function readOpening(value: unknown, key: string): boolean | undefined {
    return value === undefined ? undefined : (readSwitch(value, key, mistakes) ?? false);
  }

  /** The paths, each once and in order. One in a folder that this window has not is left out. */
  function readPaths(list: unknown, key: string): readonly string[] {
    const paths = readTexts(list, key, mistakes, [''])?.flatMap((text, index) => {
      const place = [key, index];
      const written = text.replace(/^~(?=$|\/)/, '${userHome}');
      checkCharacters([{ place, text }], mistakes);
      checkVariables(place, written, mistakes);
      checkPaths(place, written, around, mistakes);
      const path = fillFolders(written, around);
      if (variablesIn(path).length > 0) {
        return [];
      }
      if (!isAbsolute(path)) {
        mistakes.addAt(place, 'must be an absolute path; it may begin with "~/".');
        return [];
      }
      return [resolve(path)];
    });
    return [...new Set(paths)].sort();
  }
}

/** Notes a sandbox that would keep from a program all that it works with. */
export function checkSandboxed(
  launch: Launch,
  sandbox: SandboxTerms | undefined,
  mistakes: Mistakes,
): void {
  if (sandbox && launch.type === 'stdio' && runsContainers(launch.command)) {
    mistakes.addAt('sandbox', ofContainers);
  }
}

const ofContainers =
  'cannot be kept: a program that runs containers works over a socket that no sandbox shows. Leave it out.';
