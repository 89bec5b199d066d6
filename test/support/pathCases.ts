import { readFileSync } from 'node:fs';

export type Verdict = 'inside' | 'outside' | 'error';

/** One case of `adversarial-paths.json`, which tells what each field means. */
export interface PathCase {
  readonly id: string;
  readonly platform: 'posix' | 'linux' | 'darwin' | 'win32';
  readonly roots: readonly string[];
  readonly input: unknown;
  readonly expect: Verdict;
  /** What the hub says, where it has to refuse more. */
  readonly expect_hub?: Verdict;
  readonly why: string;
  readonly kind?: 'args';
  readonly setup?: {
    readonly fs?: string;
    readonly dirs?: readonly string[];
    readonly files?: readonly string[];
    readonly links?: readonly (readonly [from: string, to: string])[];
    readonly hardlinks?: readonly (readonly [from: string, to: string])[];
    readonly dynamic?: string;
  };
}

export function pathCases(): readonly PathCase[] {
  const file = new URL('../unit/fixtures/adversarial-paths.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * What the hub's guard says. It lets pass what can neither be read nor made as a path: URIs with a
 * host, and names with a colon, which are inside as all relative names are.
 */
export function expectedOfHub({ id, expect, expect_hub }: PathCase): Verdict {
  return ['U28', 'U29', 'U31', 'U32'].includes(id) ? 'inside' : (expect_hub ?? expect);
}

/** What was expected of the cases, and what came out, to be compared as wholes. */
export function compare(cases: readonly PathCase[], verdictOf: (one: PathCase) => Verdict) {
  const line = ({ id, why }: PathCase, verdict: Verdict) => `${id} ${verdict}: ${why}`;
  return {
    expected: cases.map(one => line(one, one.expect)),
    actual: cases.map(one => line(one, verdictOf(one))),
  };
}
