import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RawSession } from './bundledServer.ts';
import type { PathCase } from './pathCases.ts';
import { share } from './sharing.ts';

/** A case of `adversarial-paths.json` as it stands on the disk. */
export interface CaseOnDisk {
  readonly roots: readonly { readonly uri: string }[];
  readonly input: unknown;
}

/** Makes the folders, files and links of a case in a folder of the test. */
export function buildCase(top: string, { roots, input, setup }: PathCase): CaseOnDisk {
  const moved = (path: string) => move(path, top);
  // Where a case says nothing of the disk, its roots are folders there.
  const dirs = setup?.dirs ?? roots.filter(root => root.startsWith('/'));
  for (const path of [...dirs, '/ws/app']) {
    mkdirSync(moved(path), { recursive: true });
  }
  for (const path of setup?.files ?? []) {
    mkdirSync(dirname(moved(path)), { recursive: true });
    writeFileSync(moved(path), 'text');
  }
  for (const [from, to] of setup?.links ?? []) {
    symlinkSync(moved(to), moved(from));
  }
  for (const [from, to] of setup?.hardlinks ?? []) {
    linkSync(moved(to), moved(from));
  }
  return {
    roots: roots.map(root => ({
      uri: root.startsWith('/') ? pathToFileURL(moved(root)).href : moved(root),
    })),
    input: typeof input === 'string' ? moved(input) : input,
  };
}

/** Whole arguments pretend as well, in the texts within them too. */
export function movedArguments(input: unknown, top: string): Record<string, unknown> {
  const text = JSON.stringify(input).replaceAll(/(?<![a-z.])\/(?=(?:ws|secret)\b)/g, `${top}/`);
  return JSON.parse(text);
}

/** Gives the roots of a case to the session; a case that revokes them ends without roots. */
export async function shareCase(
  session: RawSession,
  { roots }: CaseOnDisk,
  { setup }: PathCase,
): Promise<void> {
  const lists = setup?.dynamic?.startsWith('revoke') ? [roots, []] : [roots];
  for (const list of lists) {
    session.send({ method: 'notifications/roots/list_changed' });
    await share(session, list);
  }
}

/** The cases pretend that `/ws` and `/secret` exist: here, they do so in a folder of the test. */
function move(path: string, top: string): string {
  return path
    .replaceAll(/\/ws(?![a-z])/g, `${top}/ws`)
    .replace(/^([\s"]*)\/secret/, `$1${top}/secret`);
}
