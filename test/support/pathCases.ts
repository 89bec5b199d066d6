import { readFileSync } from 'node:fs';

export type Verdict = 'inside' | 'outside' | 'error';

/** One case of `adversarial-paths.json`, which tells what each field means. */
export interface PathCase {
  readonly id: string;
  readonly platform: 'posix' | 'linux' | 'darwin' | 'win32';
  readonly roots: readonly string[];
  readonly input: unknown;
  readonly expect: Verdict;
  /** The hub's verdict, where it must refuse more. */
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

/** The cases without race, hub and Windows; pathScopeCases.test.ts names the race. */
export function plainCases(): readonly PathCase[] {
  return pathCases().filter(
    ({ id, platform, kind }) =>
      (platform === 'posix' || platform === 'linux') && kind === undefined && id !== 'S29',
  );
}

/**
 * The verdict of the hub's guard. It passes texts that cannot be a path: URIs with a host, and
 * names with a colon, which are inside like all relative names.
 */
export function expectedOfHub({ id, expect, expect_hub }: PathCase): Verdict {
  return ['U28', 'U29', 'U31', 'U32'].includes(id) ? 'inside' : (expect_hub ?? expect);
}

/** The expected and the actual results of the cases, to compare as wholes. */
export function compare(cases: readonly PathCase[], verdictOf: (one: PathCase) => Verdict) {
  const line = ({ id, why }: PathCase, verdict: Verdict) => `${id} ${verdict}: ${why}`;
  return {
    expected: cases.map(one => line(one, one.expect)),
    actual: cases.map(one => line(one, verdictOf(one))),
  };
}
