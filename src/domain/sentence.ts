/** A finished sentence for a person that can still be translated: `{0}` stands for the first value. */
export interface Sentence {
  readonly template: string;
  readonly values: readonly string[];
}

export function sentence(template: string, ...values: readonly string[]): Sentence {
  return { template, values };
}

/** The sentence as it stands, for logs and for hosts without translations. */
export function inEnglish({ template, values }: Sentence): string {
  return template.replace(/\{(\d+)\}/g, (hole, index) => values[Number(index)] ?? hole);
}
