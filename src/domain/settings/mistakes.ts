import { printable } from '../printable.ts';
import { type Sentence, sentence } from '../sentence.ts';

/** What the setting holds by name: the beginning of each sentence about one of them. */
export type Subject = (typeof subjects)[number];

const subjects = ['Server "{0}" in mcpRoots.servers', 'Input "{0}" in mcpRoots.inputs'] as const;

/** Nobody reads on: a text may hold as many unknown variables as it has room for. */
const most = 50;

/** A mistake without its beginning, for where nothing but this one is being defined. */
export function withoutSubject({ template, values }: Sentence): Sentence {
  const subject = subjects.find(known => template.startsWith(`${known}: `));
  const text = subject ? template.slice(subject.length + 2) : template;
  return { template: text.charAt(0).toUpperCase() + text.slice(1), values };
}

/**
 * Collects the mistakes in the definition of one server or input. Each names it, the key, and what
 * to write instead; none repeats a value, which may be a secret.
 */
export class Mistakes {
  private readonly subject: Subject;
  private readonly name: string;
  private readonly found: Sentence[] = [];

  constructor(subject: Subject, name: string) {
    this.subject = subject;
    this.name = printable(name);
  }

  get sentences(): readonly Sentence[] {
    return this.found;
  }

  /** @param text with `{1}` for the first of the values. */
  add(text: string, ...values: readonly string[]): void {
    if (this.found.length < most) {
      this.found.push(sentence(`${this.subject}: ${text}`, this.name, ...values.map(printable)));
    }
  }

  /** @param text follows the place, with `{2}` for the first of the values. */
  addAt(place: string, text: string, ...values: readonly string[]): void {
    this.add(`"{1}" ${text}`, place, ...values);
  }
}
