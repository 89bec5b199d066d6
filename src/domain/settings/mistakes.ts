import { type KeyPath, shownPath } from '../json.ts';
import { printable } from '../printable.ts';
import { type Sentence, sentence, withTexts } from '../sentence.ts';

/** The name of the setting being read: the beginning of each sentence about it. */
export type Subject =
  | 'Server "{0}" in mcpRoots.servers'
  | 'Input "{0}" in mcpRoots.inputs'
  | 'Server "{0}"'
  | 'The configuration';

/** Nobody reads on: a text may hold as many unknown variables as it has room for. */
const most = 50;

/** A mistake, and the part of what was read that has it; an empty path is the whole. */
export interface Mistake {
  readonly path: KeyPath;
  /** With what is being read, by name. */
  readonly text: Sentence;
  /** Without, for where nothing else is being defined. */
  readonly said: Sentence;
}

/** A mistake in what needs no name. */
export function plainMistake(path: KeyPath, text: Sentence): Mistake {
  return { path, text, said: text };
}

/** The mistakes of a part, with their places in the whole that it stands in. */
export function placedIn(path: KeyPath, mistakes: readonly Mistake[]): readonly Mistake[] {
  return mistakes.map(mistake => ({ ...mistake, path: [...path, ...mistake.path] }));
}

/**
 * Collects the mistakes in the definition of one server or input. Each names it, the key, and what
 * to write instead; none repeats a value, which may be a secret.
 */
export class Mistakes {
  private readonly subject: Sentence;
  private readonly found: Mistake[] = [];
  private outer: KeyPath = [];

  constructor(subject: Subject, name: string) {
    this.subject = sentence(subject, printable(name));
  }

  get all(): readonly Mistake[] {
    return this.found;
  }

  /** Notes a mistake of the whole. */
  add(text: string): void {
    this.note({ path: this.outer, said: sentence(text) });
  }

  /** @param text follows the place. */
  addAt(place: string | KeyPath, text: string | Sentence, ...values: readonly string[]): void {
    this.note(this.at(place, typeof text === 'string' ? sentence(text, ...values) : text));
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

  private at(place: string | KeyPath, text: Sentence): Omit<Mistake, 'text'> {
    const path = [...this.outer, ...(typeof place === 'string' ? [place] : place)];
    return { path, said: withTexts(sentence('"{0}" {1}', shownPath(path), text), printable) };
  }

  private note(mistake: Omit<Mistake, 'text'>): void {
    if (this.found.length < most) {
      const text = sentence('{0}: {1}', this.subject, mistake.said);
      this.found.push({ ...mistake, text });
    }
  }
}
