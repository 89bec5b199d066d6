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
import { checkCharacters, type Mistakes } from './mistakes.ts';
import {
  isOfRoots,
  knownVariables,
  replaceVariables,
  type Variable,
  variablesIn,
  type WrittenVariable,
} from './variables.ts';

/** A folder as a variable names it. */
export interface NamedFolder {
  readonly name: string;
  readonly path: string;
}

/** The folders of the window, which are put into definitions when they are read. */
export interface Surroundings {
  /** The folders of the window that are on disk. */
  readonly folders: readonly NamedFolder[];
  readonly userHome: string;
}

/** A host of servers, as far as the definitions of these depend on it. */
export interface DefinitionHost {
  readonly around: Surroundings;
  /** The keys that it has a use for, besides those of a launch. */
  readonly keys: readonly string[];
  readonly secret?: SecretVariable;
  /** Why it knows no value for a variable, wherever that stands; `undefined`: it does. */
  readonly variableProblem?: (written: WrittenVariable) => string | undefined;
  /** Notes the variables that a path outside a launch cannot hold. */
  readonly checkPath: (place: KeyPath, text: string, mistakes: Mistakes) => void;
}

/** Notes the variables of a launch with a problem wherever they stand, or with one where they do. */
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
  // The default that other clients let a variable have may be a secret.
  const shown = asWritten.replace(/:-.*\}$/s, ':-…}');
  return sentence('holds {0}, which is no variable. Those there are: {1}.', shown, known);
}

/** Notes a variable that cannot stand in this text of a launch. */
function checkPlace({ key, place }: LaunchText, variable: Variable, mistakes: Mistakes): void {
  const { kind } = variable;
  const isRoots = isOfRoots(variable);
  const isCalled = key in launchKeys.http;
  if (kind === 'input' && key === 'envFile') {
    mistakes.addAt(place, 'cannot hold ${input:…}: what is in the file is agreed to before.');
  } else if (isOfFolders(variable) && isCalled) {
    // The path would leave this machine, and nobody was asked.
    mistakes.addAt(place, 'cannot name a folder. A server called over HTTP asks for its roots.');
  } else if (isRoots && isCalled) {
    mistakes.addAt(place, 'cannot name roots: a server called over HTTP asks for them.');
  } else if (isRoots && key !== 'args' && key !== 'env' && key !== 'cwd') {
    mistakes.addAt(place, 'cannot name roots. They can be in "args", "env" and "cwd".');
  } else if (kind === 'roots' && key === 'env') {
    mistakes.addAt(place, 'cannot hold ${roots}. Write ${rootsJoined:,} for a list in one text.');
  } else if (isRoots && kind !== 'firstRoot' && key === 'cwd') {
    mistakes.addAt(place, 'is one folder. Write ${firstRoot}.');
  }
}

/** Notes the variables of a text that stand for no folder. */
export function checkFolderVariables(place: KeyPath, text: string, mistakes: Mistakes): void {
  for (const { asWritten, variable } of variablesIn(text)) {
    if (!variable || !isOfFolders(variable)) {
      mistakes.addAt(
        place,
        'cannot hold {0}. It takes ${workspaceFolder}, ${workspaceFolder:name} and ${userHome}.',
        asWritten,
      );
    }
  }
}

function isOfFolders({ kind }: Variable): boolean {
  return kind === 'workspaceFolder' || kind === 'userHome';
}

/**
 * The launch with the folders of this window and the user's home put in: its identity is to cover
 * what really runs. What this window has no folder for stays as it is, and cannot be started.
 */
export function withFolders(launch: Launch, around: Surroundings, mistakes: Mistakes): Launch {
  for (const { place, text } of launchTexts(launch)) {
    checkPaths(place, text, around, mistakes);
  }
  return mapLaunchTexts(launch, text => fillFolders(text, around));
}

/** The path that a text outside the launch names, with the folders put in. */
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

/** Notes the variables that stand for a path which could be taken for a variable in its turn. */
function checkPaths(place: KeyPath, text: string, around: Surroundings, mistakes: Mistakes): void {
  for (const written of variablesIn(text)) {
    if (/\$\{|\$$/.test(pathOf(written, around) ?? '')) {
      mistakes.addAt(
        place,
        'cannot hold {0}: the path of that folder would read as another variable.',
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
    case 'workspaceFolder':
      return folders.find(({ name }) => (variable.name ?? name) === name)?.path;
    case 'userHome':
      return userHome;
    default:
      return undefined;
  }
}
