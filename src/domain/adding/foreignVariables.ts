import { basename } from 'node:path';
import { programName } from '../fetchingPrograms.ts';
import type { ImportSource } from '../gateway/clientFiles.ts';
import type { JsonObject } from '../json.ts';
import type { Surroundings } from '../settings/definitionVariables.ts';
import { replaceVariables } from '../variables.ts';

/**
 * Returns `ours`, which rewrites other clients' variables as ours, and `left`: the braces that
 * stay, because they are for the program. `folder` is the text for the folder of the server's file.
 * `isElsewhere` tells whether the window's first folder is a different one.
 *
 * @param own the environment in the server's entry.
 */
export function foreignVariables(
  own: JsonObject,
  { folders }: Surroundings,
  { folder: name, folderPath }: Partial<ImportSource> = {},
) {
  const place = folderPath ?? folders.find(one => one.name === (name ?? one.name))?.path ?? '';
  const path = replaceVariables(place, ({ asWritten }) => `$${asWritten}`);
  const variable = `\${workspaceFolder${name === undefined ? '' : `:${name}`}}`;
  const folder = folderPath === undefined ? variable : path;
  // A slash also separates folders on Windows.
  const ofEditor = { workspaceFolderBasename: basename(path), pathSeparator: '/', '/': '/' };
  const known = new Map(Object.entries(ofEditor));
  const left = new Set<string>();
  const ours = (text: string, argument?: 'text' | 'code') =>
    replaceVariables(text, ({ asWritten, variable }) => {
      const [, name = '', rest = ''] = named.exec(asWritten) ?? [];
      const word = ofFolder.test(name) ? folder : known.get(name);
      if (word !== undefined || (variable && variable.kind !== 'env')) {
        return word ?? asWritten;
      }
      // True if the entry's environment sets this variable to a value of its own.
      const isOwn = argument && (own[name] ?? asWritten) !== asWritten;
      const isOfClient = ofClient.test(asWritten);
      if (!variable && (argument === 'code' || ((name === '' || isOwn) && !isOfClient))) {
        left.add(asWritten.replace(onlyName, '$1}'));
        return `$${asWritten}`;
      }
      if (name === '' || (!variable && isOfClient)) {
        return asWritten;
      }
      return `\${env:${name}${rest}}`;
    });
  const isElsewhere = name !== undefined && place !== folders[0]?.path;
  return { folder, isElsewhere, ours, left };
}

/** Whether an argument is code that a program runs. */
export function isCode(command: string, args: readonly string[], at: number): boolean {
  const before = [command, ...args].slice(0, at + 1);
  const program = before.findLast(word => !word.startsWith('-')) ?? '';
  return runsCode.test(`${programName(program)} ${before[at]}`);
}

const runsCode =
  /^(?:(?:\w*sh|python[\d.]*) -\w*c|(?:node|bun|deno|perl|ruby) (?:-\w*[ep]|--eval))$/;

/** An environment variable in Claude Code's form or in ours, or an editor's variable. */
const named = /^\$\{(?:env:)?([A-Za-z_]\w*|\/)((?::-.*)?)\}$/s;
/** A variable of which only the name is shown: the text after the name may hold a secret. */
const onlyName = /^(\$\{[#!]?[\w.[\]]*).*$/s;
const ofFolder = /^(?:workspace(?:Folder|Root)|containerWorkspaceFolder|CLAUDE_PROJECT_DIR)$/;
/** Variables that only the client knows: `${command:id}`, `${{ secrets.NAME }}`, `${fileName}`. */
const ofClient = /^\$\{(?:\{|\w+:[A-Za-z/.~]|(?:file|cwd|[a-z]+[A-Z]\w*)\})/;
