import { type KeyPath, shownPath } from '../json.ts';
import { printable } from '../printable.ts';
import { type Sentence, sentence } from '../sentence.ts';

/** What is being read, by name: the beginning of each sentence about it. */
export type Subject = (typeof subjects)[number];

const subjects = [
  'Server "{0}" in mcpRoots.servers',
  'Input "{0}" in mcpRoots.inputs',
  'Server "{0}"',
  'The configuration',
] as const;

/** Nobody reads on: a text may hold as many unknown variables as it has room for. */
const most = 50;

/** A mistake without its beginning, for where nothing but this one is being defined. */
export function withoutSubject({ template, values }: Sentence): Sentence {
  const subject = subjects.find(known => template.startsWith(`${known}: `));
  const text = subject ? template.slice(subject.length + 2) : template;
  return { template: text.charAt(0).toUpperCase() + text.slice(1), values };
}

/** A mistake, and the part of the definition that has it; an empty path is the whole. */
export interface Mistake {
  readonly path: KeyPath;
  readonly text: Sentence;
}

/**
 * Collects the mistakes in the definition of one server or input. Each names it, the key, and what
 * to write instead; none repeats a value, which may be a secret.
 */
export class Mistakes {
  private readonly subject: Subject;
  private readonly name: string;
  private readonly found: Mistake[] = [];
  private outer: KeyPath = [];

  constructor(subject: Subject, name: string) {
    this.subject = subject;
    this.name = printable(name);
  }

  get all(): readonly Mistake[] {
    return this.found;
  }

  get sentences(): readonly Sentence[] {
    return this.found.map(({ text }) => text);
  }

  /** @param text with `{1}` for the first of the values. */
  add(text: string, ...values: readonly string[]): void {
    this.note(this.outer, text, values);
  }

  /** @param text follows the place, with `{2}` for the first of the values. */
  addAt(place: string | KeyPath, text: string, ...values: readonly string[]): void {
    const path = [...this.outer, ...(typeof place === 'string' ? [place] : place)];
    this.note(path, `"{1}" ${text}`, [shownPath(path), ...values]);
  }

  /** Runs `read`, with the places that it notes counted from this one. */
  within<T>(path: KeyPath, read: () => T): T {
    const { outer } = this;
    this.outer = [...outer, ...path];
    try {
      return read();
    } finally {
      this.outer = outer;
    }
  }

  private note(path: KeyPath, text: string, values: readonly string[]): void {
    if (this.found.length < most) {
      const told = sentence(`${this.subject}: ${text}`, this.name, ...values.map(printable));
      this.found.push({ path, text: told });
    }
  }
}
