import { deepEqual, equal } from 'node:assert/strict';
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { parsePath } from '../../../../src/domain/paths/pathInput.ts';
import { PathScope, type ScopeRoot } from '../../../../src/domain/paths/pathScope.ts';
import { locate } from '../../../../src/server/paths/locate.ts';
import { PinnedRoots } from '../../../../src/server/roots/rootFolders.ts';
import { effort } from '../../../support/effort.ts';
import { onlyOn, thisPlatform } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';

// Many generated paths, compared with the answers of the system.

const names = ['a', 'b', 'a b', '..', '.', '...', '%2e%2e', '', 'ä', 'link', 'A'];
const segments = fc.array(fc.constantFrom(...names), { maxLength: 8 });

/** Where each link in the tree leads, seen from the folder above the root. */
const links = fc.uniqueArray(
  fc.record({
    at: fc.constantFrom('root/link', 'root/a/link', 'root/b', 'outside/link', 'root/a/a'),
    to: fc.constantFrom('outside', 'root', 'root/a', '.', 'outside/file', 'root/link', 'nowhere'),
    isRelative: fc.boolean(),
  }),
  { selector: ({ at }) => at, maxLength: 4 },
);

test('a path that exists is inside exactly when the system finds it in the root', {
  skip: onlyOn('posix', 'links need a privilege on Windows'),
}, t => {
  const property = fc.property(links, fc.array(segments, { maxLength: 20 }), (tree, paths) => {
    const top = tempFolder(t);
    const root = join(top, 'root');
    build(top, tree);
    const { scope } = new PinnedRoots([{ uri: pathToFileURL(root).href }], thisPlatform).folders;
    for (const parts of paths) {
      const relative = parts.join('/');
      const path = relative === '' ? '.' : relative.replace(/^\/+/, './');
      const found = locate(scope, path);
      const real = realpathOf(resolve(root, path));
      const isWritten = isIn(resolve(root, path), root);
      if (real !== undefined) {
        equal(found.ok, isWritten && isIn(real, root), path);
        deepEqual(found.ok && found.value.real, found.ok && real);
      } else {
        // A missing path is never reported as existing, and never leaves the root.
        equal(found.ok && (found.value.exists || !isIn(found.value.real, root)), false, path);
      }
    }
  });
  fc.assert(property, { numRuns: 30 * effort });
});

test('a path belongs to the deepest root whose path it begins with', () => {
  const path = fc
    .array(fc.constantFrom('a', 'A', 'ab', 'b'), { maxLength: 4 })
    .map(parts => `/${parts.join('/')}`);
  const folder = fc.record({ path, foldsCase: fc.boolean() });
  const property = fc.property(fc.array(folder, { maxLength: 6 }), path, (folders, asked) => {
    const seen = new Set<string>();
    const roots = folders
      .map(({ path, foldsCase }) => ({ announced: path, real: path, foldsCase }))
      .filter(({ announced }) => !seen.has(announced) && seen.add(announced));
    const scope = new PathScope(roots, 'linux');
    const holds = ({ announced, foldsCase }: ScopeRoot) =>
      foldsCase ? isIn(asked.toLowerCase(), announced.toLowerCase()) : isIn(asked, announced);
    const holding = roots.filter(holds);
    // Of roots that are one folder to their file system, the first is in the place of all.
    const counted = holding.filter(
      root =>
        !root.foldsCase ||
        root === holding.find(other => other.foldsCase && isSame(other.announced, root.announced)),
    );
    deepEqual(new Set(scope.findAll(asked)), new Set(counted));
    const real = roots.filter(({ real }) => isIn(asked, real));
    const [deepest] = real.sort((one, other) => other.real.length - one.real.length);
    equal(scope.findReal(asked), deepest);
    equal(scope.find(asked) !== undefined, counted.length > 0);
  });
  fc.assert(property, { numRuns: 200 * effort });
});

for (const system of ['linux', 'darwin', 'win32'] as const) {
  test(`a path read by the rules of ${system} is absolute, normal, and read again the same`, () => {
    const odd = fc.constantFrom(':', ' ', 'C:', '~', '%', '\0', '\ud800', 'nul');
    const text = fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom('\\', '/', '..', '.') },
        { weight: 4, arbitrary: fc.constantFrom(...names) },
        { weight: 1, arbitrary: fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 3 })) },
      ),
      { maxLength: 12 },
    );
    const base = system === 'win32' ? 'C:\\ws' : '/ws';
    const property = fc.property(text, parts => {
      const first = parsePath(parts.join(''), system, base);
      if (first.ok) {
        const parting = system === 'win32' ? /[\\/]/ : '/';
        equal(first.path.split(parting).includes('..'), false);
        deepEqual(parsePath(first.path, system), first);
      }
    });
    fc.assert(property, { numRuns: 500 * effort });
  });
}

function build(top: string, tree: readonly { at: string; to: string; isRelative: boolean }[]) {
  for (const folder of ['root/a b', 'root/a', 'root/ä', 'root/%2e%2e', 'outside', 'root_evil']) {
    mkdirSync(join(top, folder), { recursive: true });
  }
  for (const file of ['root/A', 'outside/file', 'root/a/b', 'root_evil/a']) {
    // On a volume that folds letter case, `A` is the folder `a`.
    if (!existsSync(join(top, file))) {
      writeFileSync(join(top, file), 'text');
    }
  }
  for (const { at, to, isRelative } of tree) {
    const up = '../'.repeat(at.split('/').length - 1);
    symlinkSync(isRelative ? `${up}${to}` : join(top, to), join(top, at));
  }
}

function realpathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function isIn(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}

function isSame(path: string, other: string): boolean {
  return path.toLowerCase() === other.toLowerCase();
}
