import type { KeyPath } from '../servers/keyPath.ts';
import type { Launch } from '../servers/launch.ts';
import { type LaunchKey, type LaunchText, launchTexts } from '../servers/launchTexts.ts';
import {
  isOfRoots,
  knownVariables,
  type Variable,
  variablesIn,
} from '../variables/variableNames.ts';
import type { Mistakes } from './mistakes.ts';

/** Notes the variables of a launch that there are not, and those that cannot stand where they do. */
export function checkVariables(launch: Launch, mistakes: Mistakes): void {
  for (const launchText of launchTexts(launch)) {
    for (const { asWritten, variable } of variablesIn(launchText.text)) {
      if (variable) {
        checkVariablePlace(launchText, variable, mistakes);
      } else {
        noteUnknown(launchText.place, asWritten, mistakes);
      }
    }
  }
}

/** Notes a variable that cannot stand in this text of a launch. */
export function checkVariablePlace(
  { key, place }: LaunchText,
  variable: Variable,
  mistakes: Mistakes,
): void {
  if (variable.kind === 'input' && key === 'envFile') {
    mistakes.addAt(place, 'cannot hold ${input:…}: what is in the file is agreed to before.');
  } else if (isOfRoots(variable)) {
    checkPlaceOfRoots(key, place, variable, mistakes);
  } else if (isOfFolders(variable) && (key === 'url' || key === 'headers')) {
    // The path would leave this machine, and nobody was asked.
    mistakes.addAt(place, 'cannot name a folder. A server called over HTTP asks for its roots.');
  }
}

/** Notes the variables of a text that stand for no folder. */
export function checkFolderVariables(place: KeyPath, text: string, mistakes: Mistakes): void {
  for (const { asWritten, variable } of variablesIn(text)) {
    if (!variable || !isOfFolders(variable)) {
      mistakes.addAt(
        place,
        'cannot hold {2}. It takes ${workspaceFolder}, ${workspaceFolder:name} and ${userHome}.',
        asWritten,
      );
    }
  }
}

function isOfFolders({ kind }: Variable): boolean {
  return kind === 'workspaceFolder' || kind === 'userHome';
}

function noteUnknown(place: KeyPath, asWritten: string, mistakes: Mistakes): void {
  const known = knownVariables.join(', ');
  mistakes.addAt(place, 'holds {2}, which is no variable. Those there are: {3}.', asWritten, known);
}

function checkPlaceOfRoots(
  key: LaunchKey,
  place: KeyPath,
  { kind }: Variable,
  mistakes: Mistakes,
): void {
  if (key === 'url' || key === 'headers') {
    mistakes.addAt(place, 'cannot name roots: a server called over HTTP asks for them.');
  } else if (key === 'command' || key === 'envFile') {
    mistakes.addAt(place, 'cannot name roots. They can be in "args", "env" and "cwd".');
  } else if (key === 'env' && kind === 'roots') {
    mistakes.addAt(place, 'cannot hold ${roots}. Write ${rootsJoined:,} for a list in one text.');
  } else if (key === 'cwd' && kind !== 'firstRoot') {
    mistakes.addAt(place, 'is one folder. Write ${firstRoot}.');
  }
}
