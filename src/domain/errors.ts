import { inEnglish, type Sentence, sentence } from './sentence.ts';

/** An expected failure, told in a finished sentence that a user can act on. */
export class HumanError extends Error {
  override readonly name = 'HumanError';
  readonly sentence: Sentence;

  constructor(template: string, ...values: readonly string[]) {
    const text = sentence(template, ...values);
    super(inEnglish(text));
    this.sentence = text;
  }
}

/** Whether an error is a {@link HumanError}. Told by name, since each bundle has a class of its own. */
export function isHumanError(error: unknown): error is HumanError {
  return error instanceof Error && error.name === 'HumanError';
}
