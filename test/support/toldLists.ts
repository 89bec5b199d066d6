import type { Decision } from '../../src/domain/consent/grants.ts';

/** The answers on the folders of one server, by the names of the folders. */
export type Answers = Readonly<Record<string, Decision>>;

/**
 * What one server is to be told, worked out by hand: the lists that its process should be sent, one
 * after the other. Shares nothing with the code under test.
 */
export class ToldLists {
  /** Those of the process that runs now, or ran last. */
  lists: readonly (readonly string[])[] = [];
  isRunning = true;
  private answers: Answers;
  private open: readonly string[];
  private isRefused: boolean;

  constructor(answers: Answers) {
    this.answers = answers;
    this.open = Object.keys(answers);
    this.isRefused = Object.values(answers).every(decision => decision === 'denied');
    this.lists = this.isRefused ? [] : [this.allowed];
  }

  answerOn(folder: string): Decision {
    return this.answers[folder] ?? 'undecided';
  }

  answer(folder: string, decision: Decision): void {
    this.answers = { ...this.answers, [folder]: decision };
    this.look();
  }

  /** What was allowed is not any more; what was refused stays refused. */
  revokeAll(): void {
    const withdrawn = Object.entries(this.answers).map(([folder, decision]) => [
      folder,
      decision === 'denied' ? decision : 'undecided',
    ]);
    this.answers = Object.fromEntries(withdrawn);
    this.look();
  }

  /** Other folders are open now. */
  show(folders: readonly string[]): void {
    this.open = folders;
    this.look();
  }

  private get allowed(): readonly string[] {
    return this.open.filter(folder => this.answers[folder] === 'allowed');
  }

  private look(): void {
    const { allowed } = this;
    if (!this.isRunning || allowed.join() === (this.lists.at(-1) ?? []).join()) {
      return;
    }
    if (this.isRefused) {
      // Only a new process can be told that there are roots.
      this.isRefused = false;
      this.lists = [allowed];
    } else if (allowed.length === 0) {
      this.isRunning = false;
    } else {
      this.lists = [...this.lists, allowed];
    }
  }
}
