/** A finished sentence for a person that can still be translated: `{0}` stands for the first value. */
export interface Sentence {
  readonly template: string;
  readonly values: readonly Words[];
}

/** A text that is shown as it is, or one of ours that is translated. */
export type Words = string | Sentence;

/** A sentence with these values in the holes of its template; a whole one, as it is. */
export function sentence(template: string | Sentence, ...values: readonly Words[]): Sentence {
  return typeof template === 'string' ? { template, values } : template;
}

/** The sentence as it stands, for logs and for hosts without translations. */
export function inEnglish({ template, values }: Sentence): string {
  const texts = values.map(wordsInEnglish);
  return template.replace(/\{(\d+)\}/g, (hole, index) => texts[Number(index)] ?? hole);
}

export function wordsInEnglish(words: Words): string {
  return typeof words === 'string' ? words : inEnglish(words);
}

/** The same sentence with each text that is shown as it is put in another way. */
export function withTexts(
  { template, values }: Sentence,
  change: (text: string) => string,
): Sentence {
  const changed = values.map(value =>
    typeof value === 'string' ? change(value) : withTexts(value, change),
  );
  return { template, values: changed };
}

/** The sentence with `…` for each of those texts. */
export function withoutTexts(text: Sentence): string {
  return inEnglish(withTexts(text, () => '…'));
}

/** An expected failure, told in a finished sentence that a user can act on. */
export class HumanError extends Error {
  override readonly name = 'HumanError';
  readonly sentence: Sentence;

  constructor(template: string | Sentence, ...values: readonly Words[]) {
    const text = sentence(template, ...values);
    super(inEnglish(text));
    this.sentence = text;
  }
}

/** Whether an error is a {@link HumanError}. Told by name, since each bundle has a class of its own. */
export function isHumanError(error: unknown): error is HumanError {
  return error instanceof Error && error.name === 'HumanError';
}
