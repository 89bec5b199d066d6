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
 * Another revision of the project, built with the packages of this one, for as long as the bench runs.
 *
 * @throws when there is none of this name, or it can't be built.
 */
export function checkOut(scratch: Scratch, revision: string): Product {
  const commit = commitOf(revision);
  const folder = join(scratch.folder, 'before');
  // Other than a worktree, it leaves nothing in this repository that would have to be taken away.
  git('clone', '--quiet', '--shared', '--no-checkout', top, folder);
  git('-C', folder, 'checkout', '--quiet', '--detach', commit);
  symlinkSync(join(top, 'node_modules'), join(folder, 'node_modules'), 'junction');
  execFileSync(process.execPath, ['esbuild.mjs'], { cwd: folder, stdio: 'inherit' });
  return { name: revision, folder };
}

/** @throws when there is none of this name. */
export function commitOf(revision: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`);
  } catch (cause) {
    throw new Error(`There is no revision ${revision} to compare with.`, { cause });
  }
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: top, encoding: 'utf8' }).trim();
}
