/** A finished sentence for a person that can still be translated: `{0}` stands for the first value. */
export interface Sentence {
  readonly template: string;
  readonly values: readonly string[];
}

/** A sentence with these values in the holes of its template. */
export function sentence(template: string, ...values: readonly string[]): Sentence {
  return { template, values };
}

/** The sentence as it stands, for logs and for hosts without translations. */
export function inEnglish({ template, values }: Sentence): string {
  return template.replace(/\{(\d+)\}/g, (hole, index) => values[Number(index)] ?? hole);
}

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
