import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Bench } from './bench.ts';
import type { Side } from './race.ts';
import type { Answer, Call } from './rawClient.ts';
import type { Session } from './session.ts';
import { type Tree, wantedGlob, wantedText } from './trees.ts';

/** ripgrep itself, from the start of its process to the last byte of what it writes. */
export function ripgrepFind(bench: Bench, tree: Tree): Side {
  return ripgrepSide(bench, tree, ['--files', '-g', wantedGlob]);
}

export function ripgrepSearch(bench: Bench, tree: Tree): Side {
  const args = ['--fixed-strings', '--line-number', '--no-heading', '--', wantedText, '.'];
  return ripgrepSide(bench, tree, args);
}

function ripgrepSide(bench: Bench, tree: Tree, args: readonly string[]): Side {
  return { name: 'ripgrep', role: 'floor', sample: () => time(bench, tree, args) };
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

/** Finds every file with the wanted name, in one answer. */
export function findCall({ folder, wanted }: Tree): Call {
  return { name: 'find-files', arguments: { path: folder, pattern: wantedGlob, limit: wanted } };
}

/** Finds every line with the wanted text, in one answer. */
export function searchCall({ folder, wanted }: Tree): Call {
  return { name: 'search-text', arguments: { path: folder, query: wantedText, limit: wanted } };
}

/** The same as `findCall`, for the reference server. */
export function theirFindCall({ folder }: Tree): Call {
  return { name: 'search_files', arguments: { path: folder, pattern: wantedGlob } };
}

/** @throws when not all was found that is wanted: a search that stops sooner is no quicker one. */
function assertFound({ wanted }: Tree, { result }: Pick<Answer, 'result'>): void {
  const files = result.structuredContent?.['files'];
  const text = result.content?.[0]?.text ?? '';
  const found = Array.isArray(files) ? files.length : text.split('\n').length;
  if (found !== wanted) {
    throw new Error(`${found} files were found where there are ${wanted}.`);
  }
}

/** A server that is to find all that is wanted. */
export function searchSide({ contender, call }: Session, tree: Tree, what: Call): Side {
  return {
    ...contender,
    sample: async () => {
      const sent = performance.now();
      const answer = await call(what);
      assertFound(tree, answer);
      return answer.at - sent;
    },
  };
}
