import type { KeyPath } from '../servers/keyPath.ts';
import type { Launch } from '../servers/launch.ts';
import { launchTexts, mapLaunchTexts } from '../servers/launchTexts.ts';
import { replaceVariables, variablesIn, type Written } from '../variables/variableNames.ts';
import type { Mistakes } from './mistakes.ts';

/** A folder as a variable names it. */
export interface NamedFolder {
  readonly name: string;
  readonly path: string;
}

/** Where the window is, which is put into the definitions when they are read. */
export interface Surroundings {
  /** The folders of the window that are on disk. */
  readonly folders: readonly NamedFolder[];
  readonly userHome: string;
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

/** The same for one text. */
export function fillFolders(text: string, around: Surroundings): string {
  return replaceVariables(text, written => pathOf(written, around) ?? written.asWritten);
}

/** Notes the variables that stand for a path which could be taken for a variable in its turn. */
export function checkPaths(
  place: KeyPath,
  text: string,
  around: Surroundings,
  mistakes: Mistakes,
): void {
  for (const written of variablesIn(text)) {
    if (/\$\{|\$$/.test(pathOf(written, around) ?? '')) {
      mistakes.addAt(
        place,
        'cannot hold {2}: the path of that folder would read as another variable.',
        written.asWritten,
      );
    }
  }
}

function pathOf({ variable }: Written, { folders, userHome }: Surroundings): string | undefined {
  switch (variable?.kind) {
    case 'workspaceFolder':
      return folders.find(({ name }) => (variable.name ?? name) === name)?.path;
    case 'userHome':
      return userHome;
    default:
      return undefined;
  }
}
