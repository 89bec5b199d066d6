import {
  type DraftTerms,
  draftProblem,
  type ServerDraft,
} from '../../../domain/adding/serverDraft.ts';
import { localized } from '../../text.ts';
import type { SettingsTarget } from '../import/settingsWriter.ts';
import type { Answer } from './questions.ts';
import type { Step, Taken } from './wizard.ts';

/** A new server as far as it was entered, and where it is to be. */
export interface NewDraft extends ServerDraft {
  readonly target: SettingsTarget;
  /** The variable or header whose value is asked for next. */
  readonly valueName: string;
}

/** What the steps must know of this window. */
export interface StepTerms extends DraftTerms {
  readonly isTaken: (name: string) => boolean;
}

/** One step of adding a server. */
export type AddStep = Step<NewDraft>;

/** What is known after an answer that was given. */
export function taken<T>(
  answer: Answer<T>,
  then: (value: T) => Taken<NewDraft>,
): Answer<Taken<NewDraft>> {
  return answer.kind === 'given' ? { kind: 'given', value: then(answer.value) } : answer;
}

/** What is wrong with the draft, in the user's language. */
export function problemOf(draft: ServerDraft, terms: DraftTerms): string | undefined {
  const problem = draftProblem(draft, terms);
  return problem && localized(problem);
}
