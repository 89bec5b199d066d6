import { emptyDraft, serverOf } from '../../../domain/adding/serverDraft.ts';
import { isJsonObject } from '../../../domain/settings/values.ts';
import type { ServerSecrets } from '../../secrets/serverSecrets.ts';
import { existingSettings, writeServers } from '../import/settingsWriter.ts';
import type { NewDraft, StepTerms } from './addStep.ts';
import { transportStep } from './steps.ts';
import { walk } from './wizard.ts';

/** What adding works with. */
export interface AddContext {
  readonly secrets: ServerSecrets;
}

/**
 * Asks for a new server and writes it to the settings. Answers its name, or `undefined` when the
 * user left, which changes nothing.
 */
export async function addServer({ secrets }: AddContext): Promise<string | undefined> {
  const terms = stepTerms();
  const start: NewDraft = { ...emptyDraft, target: 'user', valueName: '' };
  const draft = await walk(transportStep(terms), start);
  if (!draft) {
    return undefined;
  }
  const { entry, inputs, kept } = serverOf(draft, terms);
  if (!entry) {
    throw new Error('A draft without a problem became no server.');
  }
  await writeServers([{ name: draft.name, entry, inputs, kept }], draft.target, secrets);
  return draft.name;
}

function stepTerms(): StepTerms {
  const { servers, inputs, around } = existingSettings();
  return {
    isWindows: process.platform === 'win32',
    around,
    known: new Map(inputs.filter(isJsonObject).map(input => [String(input['id']), input])),
    isTaken: name => Object.hasOwn(servers, name),
  };
}
