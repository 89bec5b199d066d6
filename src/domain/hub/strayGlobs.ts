import type { ScopeRoot } from '../paths/pathScope.ts';
import { printable } from '../printable.ts';
import type { HubServer } from './hubServer.ts';

/**
 * What is to be told of the globs of a server that repeat the path of a root, as if they began
 * elsewhere than at it. It may be meant, as `/src/**` in a root `/src`, and so is no mistake.
 *
 * @returns finished sentences.
 */
export function strayGlobs(
  { name, globsFromRoot }: Pick<HubServer, 'name' | 'globsFromRoot'>,
  roots: readonly Pick<ScopeRoot, 'announced' | 'real'>[],
): readonly string[] {
  return globsFromRoot.flatMap(glob => {
    const root = roots.find(one => restOf(glob, one) !== undefined);
    return root ? [problemOf(name, glob, root)] : [];
  });
}

function problemOf(name: string, glob: string, root: Parameters<typeof restOf>[1]): string {
  const [written, meant] = [glob, root.announced + glob].map(shown);
  const instead = shown(restOf(glob, root) || '**');
  return `Server "${printable(name)}": the glob ${written} means ${meant}, because globs begin at each root. Write ${instead}.`;
}

/** What of a glob comes after the path of a root; `undefined`: it does not begin with that. */
function restOf(
  glob: string,
  { announced, real }: Pick<ScopeRoot, 'announced' | 'real'>,
): string | undefined {
  const path = [announced, real].find(path => `${glob}/`.startsWith(`${path}/`));
  return path === undefined ? undefined : glob.slice(path.length);
}

function shown(glob: string): string {
  return `"${printable(glob.slice(0, 200))}"`;
}
