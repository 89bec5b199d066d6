/** A whole sentence that can still be translated. `{0}` stands for the first value. */
export interface Sentence {
  readonly template: string;
  readonly values: readonly Words[];
}

/** A text that is shown unchanged, or a sentence of ours, which is translated. */
export type Words = string | Sentence;

/** A sentence with these values for its placeholders. A given sentence stays unchanged. */
export function sentence(template: string | Sentence, ...values: readonly Words[]): Sentence {
  return typeof template === 'string' ? { template, values } : template;
}

/** The sentence in English, for logs and for programs without translations. */
export function inEnglish({ template, values }: Sentence): string {
  const texts = values.map(wordsInEnglish);
  return template.replace(/\{(\d+)\}/g, (hole, index) => texts[Number(index)] ?? hole);
}

export function wordsInEnglish(words: Words): string {
  return typeof words === 'string' ? words : inEnglish(words);
}

/** The same sentence with each untranslated text changed. */
export function withTexts(
  { template, values }: Sentence,
  change: (text: string) => string,
): Sentence {
  const changed = values.map(value =>
    typeof value === 'string' ? change(value) : withTexts(value, change),
  );
  return { template, values: changed };
}

/** The sentence with `…` for each untranslated text. */
export function withoutTexts(text: Sentence): string {
  return inEnglish(withTexts(text, () => '…'));
}

/** An expected failure. Its whole sentence tells a user what to do. */
export class HumanError extends Error {
  override readonly name = 'HumanError';
  readonly sentence: Sentence;

  constructor(template: string | Sentence, ...values: readonly Words[]) {
    const text = sentence(template, ...values);
    super(inEnglish(text));
    this.sentence = text;
  }
}

/** Whether an error is a {@link HumanError}, by its name, because each bundle has its own class. */
export function isHumanError(error: unknown): error is HumanError {
  return error instanceof Error && error.name === 'HumanError';
}
