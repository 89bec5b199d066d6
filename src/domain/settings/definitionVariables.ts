import type { KeyPath } from '../json.ts';
import { type Sentence, sentence } from '../sentence.ts';
import {
  type Launch,
  type LaunchText,
  launchKeys,
  launchTexts,
  mapLaunchTexts,
} from '../servers/launch.ts';
import type { SecretVariable } from '../servers/serverUrl.ts';
import {
  isOfRoots,
  knownVariables,
  replaceVariables,
  type Variable,
  variablesIn,
  type WrittenVariable,
} from '../variables.ts';
import { checkCharacters, type Mistakes } from './mistakes.ts';

/** A folder with the name that a variable uses. */
export interface NamedFolder {
  readonly name: string;
  readonly path: string;
}

/** What a window fills into a definition when it reads the definition. */
export interface Surroundings {
  /** The window's folders on disk. */
  readonly folders: readonly NamedFolder[];
  readonly userHome: string;
}

/** The program that hosts the servers, as far as definitions depend on it. */
export interface DefinitionHost {
  readonly around: Surroundings;
  /** The keys that the program uses, besides the keys of a launch. */
  readonly keys: readonly string[];
  readonly secret?: SecretVariable;
  /** Why the program never has a value for a variable; `undefined` if it may have a value. */
  readonly variableProblem?: (written: WrittenVariable) => string | undefined;
  /** Notes the variables that a path of `roots` or `sandbox` can't have. */
  readonly checkPath: (place: KeyPath, text: string, mistakes: Mistakes) => void;
}

/** Notes variables that no launch can have, and variables at a wrong place of the launch. */
export function checkVariables(
  launch: Launch,
  mistakes: Mistakes,
  problemOf: (written: WrittenVariable) => string | Sentence | undefined = unknownVariable,
): void {
  for (const launchText of launchTexts(launch)) {
    for (const written of variablesIn(launchText.text)) {
      const problem = problemOf(written);
      if (problem !== undefined) {
        mistakes.addAt(launchText.place, problem);
      } else if (written.variable) {
        checkPlace(launchText, written.variable, mistakes);
      }
    }
  }
}

function unknownVariable({ asWritten, variable }: WrittenVariable): Sentence | undefined {
  if (variable) {
    return undefined;
  }
  const known = knownVariables.join(', ');
  // The default value, which other clients allow, may be a secret.
  const shown = asWritten.replace(/:-.*\}$/s, ':-…}');
  const said =
    'holds {0}, which is not a variable. Use one of these: {1}. To pass the text to the program, write $${…}.';
  return sentence(said, shown, known);
}

/** Notes a variable that can't be at this place of a launch. */
function checkPlace({ key, place }: LaunchText, variable: Variable, mistakes: Mistakes): void {
  const { kind } = variable;
  const isRoots = isOfRoots(variable);
  const isCalled = key in launchKeys.http;
  if (kind === 'input' && key === 'envFile') {
    mistakes.addAt(
      place,
      'cannot hold ${input:…}, because the file is read before you are asked for input values.',
    );
  } else if (isOfFolders(variable) && isCalled) {
    // Another machine would get the path without a question to the user.
    mistakes.addAt(
      place,
      'cannot name a folder, because a server called over HTTP gets its folders only as roots.',
    );
  } else if (isRoots && isCalled) {
    mistakes.addAt(
      place,
      'cannot name roots, because a server called over HTTP gets them only when it asks for them.',
    );
  } else if (isRoots && key !== 'args' && key !== 'env' && key !== 'cwd') {
    mistakes.addAt(place, 'cannot name roots. Only "args", "env" and "cwd" can.');
  } else if (kind === 'roots' && key === 'env') {
    mistakes.addAt(place, 'cannot hold ${roots}. Write ${rootsJoined:,} for a list in one text.');
  } else if (isRoots && kind !== 'firstRoot' && key === 'cwd') {
    mistakes.addAt(place, 'must be one folder. Write ${firstRoot}.');
  }
}

/** Notes the variables in a text that do not name a folder. */
export function checkFolderVariables(place: KeyPath, text: string, mistakes: Mistakes): void {
  for (const { asWritten, variable } of variablesIn(text)) {
    if (!variable || !isOfFolders(variable)) {
      mistakes.addAt(
        place,
        'cannot hold {0}. Write ${workspaceFolder}, ${workspaceFolder:name} or ${userHome}.',
        asWritten,
      );
    }
  }
}

function isOfFolders({ kind }: Variable): boolean {
  return kind === 'workspaceFolder' || kind === 'userHome';
}

/**
 * The launch with this window's folders and the user's home filled in, so that the identity covers
 * what really runs. Variables for folders that this window lacks stay. They prevent the start.
 */
export function withFolders(launch: Launch, around: Surroundings, mistakes: Mistakes): Launch {
  for (const { place, text } of launchTexts(launch)) {
    checkPaths(place, text, around, mistakes);
  }
  return mapLaunchTexts(launch, text => fillFolders(text, around));
}

/** Returns a path of `roots` or `sandbox` with folders filled in. Notes the path's mistakes. */
export function readPath(
  text: string,
  place: KeyPath,
  mistakes: Mistakes,
  { around, checkPath }: DefinitionHost,
): string {
  checkCharacters([{ place, text }], mistakes);
  checkPath(place, text, mistakes);
  checkPaths(place, text, around, mistakes);
  return fillFolders(text, around);
}

function fillFolders(text: string, around: Surroundings): string {
  return replaceVariables(text, written => pathOf(written, around) ?? written.asWritten);
}

/** Notes variables whose path contains `${`, and so looks like another variable. */
function checkPaths(place: KeyPath, text: string, around: Surroundings, mistakes: Mistakes): void {
  for (const written of variablesIn(text)) {
    if (/\$\{|\$$/.test(pathOf(written, around) ?? '')) {
      mistakes.addAt(
        place,
        'cannot use {0}: the path of this folder contains "${" or ends in "$". Rename the folder.',
        written.asWritten,
      );
    }
  }
}

function pathOf(
  { variable }: WrittenVariable,
  { folders, userHome }: Surroundings,
): string | undefined {
  switch (variable?.kind) {
    case 'workspaceFolder': {
      const [first, second] = folders.filter(({ name }) => (variable.name ?? name) === name);
      // If two folders have this name, nobody can tell which is meant.
      return second && variable.name !== undefined ? undefined : first?.path;
    }
    case 'userHome':
      return userHome;
    default:
      return undefined;
  }
}
