import { inputsById } from '../../domain/adding/convertServer.ts';
import { isOfWorkspace, planImport } from '../../domain/adding/importPlan.ts';
import {
  canBeSandboxed,
  isSandboxed,
  type ServerDraft,
  withSandbox,
} from '../../domain/adding/serverDraft.ts';
import type { Sentence } from '../../domain/sentence.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import { t } from '../text.ts';
import { enterServer } from './enterServer.ts';
import { takeOver } from './importServers.ts';
import { type ReviewTerms, reviewServer } from './reviewServer.ts';
import { existingSettings, type ServerKeeping, targetItems, writeServers } from './writeServers.ts';

/**
 * Asks for a new server, shows what will be written, and writes it to the settings. Several servers
 * entered together are imported like the servers of a file.
 *
 * @returns the name of the server; `undefined` when the user left without a change, or when
 *   several servers were added.
 */
export async function askForServer(
  keeping: ServerKeeping,
  sandbox: SandboxSource,
): Promise<string | undefined> {
  const terms = surroundings();
  // Runs while the user answers the first question. The `await` below reports its failure.
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
      const source = { label: t('What you entered'), at: [], scope: 'user' } as const;
      const plan = planImport([{ source, value: entered.value.file }], existingSettings());
      await takeOver(plan, keeping, sandbox);
      return undefined;
    }
    text = entered.value.text;
    const all = { ...terms, noSandbox: await noSandbox, targets: targetItems() };
    const { draft } = entered.value;
    const target = all.targets.length > 1 && isOfWorkspace(draft) ? 'workspace' : 'user';
    const start = { draft: inSandbox(draft, all.noSandbox), target } as const;
    const reviewed = await reviewServer(start, all, { title, steps: [2, 2], hasBack: true });
    if (reviewed.kind === 'left') {
      return undefined;
    }
    if (reviewed.kind === 'given' && reviewed.value !== 'definition') {
      const { draft, target } = reviewed.value;
      await writeServers([draft], target, keeping);
      return draft.name;
    }
  }
}

/** What the review of an added or changed server needs to know about this window. */
export function surroundings(): Omit<ReviewTerms, 'noSandbox' | 'targets'> {
  const { servers, inputs, around } = existingSettings();
  return {
    isWindows: process.platform === 'win32',
    around,
    known: inputsById(inputs),
    isTaken: name => Object.hasOwn(servers, name),
  };
}

/** Adds a sandbox to the draft if a sandbox is available and the draft leaves the choice open. */
function inSandbox(draft: ServerDraft, noSandbox: Sentence | undefined): ServerDraft {
  const isWanted = !noSandbox && isSandboxed(draft) === undefined && canBeSandboxed(draft);
  return isWanted ? withSandbox(draft, true) : draft;
}
