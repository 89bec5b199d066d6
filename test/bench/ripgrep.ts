import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Bench } from './bench.ts';
import type { Side } from './race.ts';
import { type Tree, wantedGlob, wantedText } from './trees.ts';

/** ripgrep itself, from the start of its process to the last byte of what it writes. */
export function ripgrepFind(bench: Bench, tree: Tree): Side {
  return { name: 'ripgrep', sample: () => time(bench, tree, ['--files', '-g', wantedGlob]) };
}

export function ripgrepSearch(bench: Bench, tree: Tree): Side {
  const args = ['--fixed-strings', '--line-number', '--no-heading', '--', wantedText, '.'];
  return { name: 'ripgrep', sample: () => time(bench, tree, args) };
}

async function time(
  { scratch, ripgrep }: Bench,
  { folder, wanted }: Tree,
  args: readonly string[],
): Promise<number> {
  const started = performance.now();
  const child = scratch.owns(
    spawn(ripgrep, ['--no-config', ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  const taken = performance.now() - started;
  const lines = Buffer.concat(chunks).toString().trimEnd().split('\n').length;
  if (lines !== wanted) {
    throw new Error(`ripgrep found ${lines} where there are ${wanted}.`);
  }
  return taken;
}
