import { emptyDraft, serverOf } from '../../../domain/adding/serverDraft.ts';
import { isJsonObject } from '../../../domain/settings/values.ts';
import { existingSettings, type SecretKeeping, writeServers } from '../import/settingsWriter.ts';
import type { NewDraft, StepTerms } from './addStep.ts';
import { transportStep } from './steps.ts';
import { walk } from './wizard.ts';

/**
 * Asks for a new server and writes it to the settings. Answers its name, or `undefined` when the
 * user left, which changes nothing.
 */
export async function addServer(keeping: SecretKeeping): Promise<string | undefined> {
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
  await writeServers([{ name: draft.name, entry, inputs, kept }], draft.target, keeping);
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
