import type { Launch } from '../servers/launch.ts';
import { type LaunchText, launchTexts } from '../servers/launchTexts.ts';
import type { Mistakes } from '../settings/mistakes.ts';
import { checkVariablePlace } from '../settings/variableMistakes.ts';
import { variablesIn, type Written } from '../variables/variableNames.ts';

/** Notes the variables of a launch that a hub cannot put in, and those that cannot stand there. */
export function checkHubVariables(launch: Launch, mistakes: Mistakes): void {
  for (const launchText of launchTexts(launch)) {
    for (const written of variablesIn(launchText.text)) {
      checkVariable(launchText, written, mistakes);
    }
  }
}

function checkVariable(launchText: LaunchText, written: Written, mistakes: Mistakes): void {
  const { place } = launchText;
  const { asWritten, variable } = written;
  if (!variable) {
    mistakes.addAt(place, adviceFor(asWritten));
  } else if (variable.kind === 'workspaceFolder') {
    mistakes.addAt(place, noWindow);
  } else if (variable.kind === 'input') {
    mistakes.addAt(place, 'holds ${input:…}, but a hub can ask nobody. Write ${env:NAME}.');
  } else {
    checkVariablePlace(launchText, variable, mistakes);
  }
}

const noWindow = 'names a folder of the editor, which a hub has not. Write ${firstRoot}.';

/** What is in the braces is not repeated: a default of Claude Code's may be a secret. */
function adviceFor(asWritten: string): string {
  if (/^\$\{(?:workspaceFolderBasename|workspaceRoot|CLAUDE_PROJECT_DIR)\b/.test(asWritten)) {
    return noWindow;
  }
  return /^\$\{[A-Za-z_]\w*(?::-[^}]*)?\}$/.test(asWritten)
    ? 'holds a variable in the form ${NAME} or ${NAME:-default}. Write ${env:NAME}.'
    : 'holds a variable that there is not. There are ${env:NAME}, ${userHome}, ${roots}, ${rootsJoined:separator} and ${firstRoot}.';
}
