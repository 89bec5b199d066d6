import { planEntered } from '../../../domain/adding/enteredText.ts';
import { knownServerOf } from '../../../domain/adding/knownServers.ts';
import {
  canBeSandboxed,
  isSandboxed,
  type ServerDraft,
  withSandbox,
} from '../../../domain/adding/serverDraft.ts';
import { isJsonObject, type JsonObject } from '../../../domain/json.ts';
import type { Sentence } from '../../../domain/sentence.ts';
import type { SandboxSource } from '../../servers/serverTarget.ts';
import { t } from '../../text.ts';
import { enterServer } from './enterServer.ts';
import { takeOver } from './importServers.ts';
import { type Reviewed, type ReviewTerms, reviewServer } from './reviewServer.ts';
import {
  existingSettings,
  type ServerAddition,
  type ServerKeeping,
  targetItems,
  writeServers,
} from './writeServers.ts';

/**
 * Asks for a new server and writes it to the settings: what it is, and what is to be written. Several at
 * once are taken over as those of a file are.
 *
 * @returns the name of the server; `undefined` when the user left, which changes nothing, or several
 *   were added.
 */
export async function askForServer(
  keeping: ServerKeeping,
  sandbox: SandboxSource,
): Promise<string | undefined> {
  const terms = surroundings();
  // Looked for while the first question is answered, and reported where it is needed.
  const noSandbox = sandbox().then(made => made.problem());
  noSandbox.catch(() => {});
  const title = t('Add Server');
  let text = '';
  for (;;) {
    const entered = await enterServer(text, terms, { title, steps: [1, 2], hasBack: false });
    if (entered.kind !== 'given') {
      return undefined;
    }
    if (entered.value.kind === 'several') {
      await importEntered(entered.value.file, keeping, sandbox);
      return undefined;
    }
    text = entered.value.text;
    const all = { ...terms, noSandbox: await noSandbox, targets: targetItems('user') };
    const start = { draft: inSandbox(entered.value.draft, all.noSandbox), target: 'user' } as const;
    const reviewed = await reviewServer(start, all, { title, steps: [2, 2], hasBack: true });
    if (reviewed.kind === 'left') {
      return undefined;
    }
    if (reviewed.kind === 'given' && reviewed.value !== 'definition') {
      const { draft, target } = reviewed.value;
      await writeServers([additionOf(draft)], target, keeping);
      return draft.name;
    }
  }
}

/** The surroundings of a server that is added or changed. */
export function surroundings(): Omit<ReviewTerms, 'noSandbox' | 'targets'> {
  const { servers, inputs, around } = existingSettings();
  return {
    isWindows: process.platform === 'win32',
    around,
    known: new Map(inputs.filter(isJsonObject).map(input => [String(input['id']), input])),
    isTaken: name => Object.hasOwn(servers, name),
  };
}

/** A draft as what is written of it. */
export function additionOf({ name, entry, inputs, kept }: Reviewed['draft']): ServerAddition {
  return { name, entry, inputs, kept };
}

async function importEntered(
  file: JsonObject,
  keeping: ServerKeeping,
  sandbox: SandboxSource,
): Promise<void> {
  const plan = planEntered(file, existingSettings(), t('What you entered'));
  await takeOver(plan, keeping, sandbox);
}

/** A new server is kept in its folders where that can be had, unless it is known not to work so. */
function inSandbox(draft: ServerDraft, noSandbox: Sentence | undefined): ServerDraft {
  const isWanted =
    !noSandbox &&
    isSandboxed(draft) === undefined &&
    canBeSandboxed(draft) &&
    knownServerOf(draft.entry)?.isSandboxable !== false;
  return isWanted ? withSandbox(draft, true) : draft;
}
