import { redactor } from '../domain/redact.ts';

/** A server is handed new tokens for as long as it runs. The oldest ones have long run out. */
const mostLearned = 200;

/**
 * What nothing that a server says may repeat, as far as it is known at the time: what the server was
 * started with, and what came to it since, such as the tokens of a sign-in.
 */
export class KnownSecrets {
  private readonly given: readonly string[];
  private readonly learned = new Set<string>();
  private redact: ((text: string) => string) | undefined;

  /** @param given what is secret from the start. */
  constructor(given: readonly string[] = []) {
    this.given = given;
  }

  /** Counts these as secrets from now on. `undefined` stands for one that there is not. */
  add(...secrets: readonly (string | undefined)[]): void {
    for (const secret of secrets) {
      if (secret !== undefined) {
        this.learned.delete(secret);
        this.learned.add(secret);
      }
    }
    for (const oldest of [...this.learned].slice(0, -mostLearned)) {
      this.learned.delete(oldest);
    }
    this.redact = undefined;
  }

  /** The text with every secret that is known by now made unreadable. */
  redacted(text: string): string {
    this.redact ??= redactor([...this.given, ...this.learned]);
    return this.redact(text);
  }
}
