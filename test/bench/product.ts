import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as client from '../../src/mcp/main.ts';
import type { Scratch } from './scratch.ts';

/** A built checkout of the project. */
export interface Product {
  readonly name: string;
  readonly folder: string;
}

const top = join(import.meta.dirname, '..', '..');

/** What lies here. */
export const ours: Product = { name: 'ours', folder: top };

/** A file of its build. */
export function built({ folder }: Product, file: string): string {
  return join(folder, 'dist', file);
}

/** The client as it is shipped. */
export function clientOf(product: Product): typeof client {
  return createRequire(import.meta.url)(built(product, 'client.js'));
}

/**
 * Another revision of the project, built with this one's packages, while the bench runs.
 *
 * @throws when the revision does not exist or can't be built.
 */
export function checkOut(scratch: Scratch, revision: string): Product {
  const commit = git('rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`);
  const folder = join(scratch.folder, 'before');
  // Unlike a worktree, it leaves nothing to remove in this repository.
  git('clone', '--quiet', '--shared', '--no-checkout', top, folder);
  git('-C', folder, 'checkout', '--quiet', '--detach', commit);
  symlinkSync(join(top, 'node_modules'), join(folder, 'node_modules'), 'junction');
  execFileSync(process.execPath, ['esbuild.mjs'], { cwd: folder, stdio: 'inherit' });
  return { name: revision, folder };
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: top, encoding: 'utf8' }).trim();
}
