import { deepEqual, equal } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { clients, connect, rootOf, type TestClient } from '../support/bundledServer.ts';
import { effort, isSoak } from '../support/effort.ts';
import { good, prepareSwapping, secret, skipSwapping, startSwapping } from '../support/swapper.ts';
import { writeTree } from '../support/temp.ts';

const atOnce = 50;

/** What one call shows: `good` of the inside, `refused` while the link is there, nothing of either, or else. */
type Look = (client: TestClient, path: string) => Promise<unknown>;

const read: Look = async (client, path) => {
  const result = await client.call('read-file', { path });
  equal(JSON.stringify(result).includes(secret), false);
  return result.isError ? 'refused' : result.content[0]?.text;
};

function sized(size: unknown): unknown {
  return size === good.length ? good : size;
}

const looks: Readonly<Record<string, readonly [times: number, look: Look]>> = {
  'no read returns': [2000, read],
  'no listing names': [
    500,
    async client => {
      const args = { path: 'sub', details: true };
      const { structuredContent, isError } = await client.call('list-directory', args);
      const entries = structuredContent?.['entries'] as readonly { readonly size: number }[];
      return isError ? 'refused' : sized(entries.map(({ size }) => size)[0]);
    },
  ],
  'no tree names': [
    400,
    async client => {
      const args = { path: '.', depth: 3, details: true };
      const shown = JSON.stringify(await client.call('list-directory', args));
      const side = /only-outside|sub\/key|sub \(link\)/.exec(shown)?.[0];
      return side && ({ 'sub/key': good, 'sub (link)': 'refused' }[side] ?? side);
    },
  ],
  'file-info never tells of': [
    1000,
    async (client, path) => {
      const { structuredContent, isError } = await client.call('file-info', { path });
      return isError ? 'refused' : sized(structuredContent?.['size']);
    },
  ],
};

describe('while a folder is swapped with a link to the outside', { skip: skipSwapping }, () => {
  for (const [what, [times, look]] of Object.entries(looks)) {
    test(`${what} what is outside`, async t => {
      const { root, path } = await startSwapping(t);
      writeTree(join(root, '..'), { 'secret/only-outside': '' });
      const client = await connect(t, 'SDK 1 (legacy)', { roots: [rootOf(root)] });
      await repeat(times * effort, () => look(client, path));
    });
  }
});

/** The source of the root: each source pins it by different code. */
const sources = ['command line', ...clients] as const;

for (const [swapped, source] of [
  ['root', 'SDK 2 (modern)'],
  ['parent', 'SDK 2 (legacy)'],
] as const) {
  const what = swapped === 'root' ? 'a root' : 'the folder that a root is in';
  describe(`while ${what} is swapped for a link to the outside`, { skip: skipSwapping }, () => {
    for (const kind of isSoak ? sources : ([source] as const)) {
      test(`no read returns what is outside: roots of ${kind}`, async t => {
        const { root, path, start } = prepareSwapping(t, swapped);
        const client = await (kind === 'command line'
          ? connect(t, 'SDK 1 (legacy)', { args: ['--root', root] })
          : connect(t, kind, { roots: [rootOf(root)] }));
        // The root is pinned before the attack; an earlier attacker would choose the shared folder.
        equal(await read(client, path), good);
        await start();
        await repeat(200 * effort, () => read(client, path));
      });
    }
  });
}

/** So often, and until it was once well and once refused: refusals show that the attack took place. */
async function repeat(times: number, look: () => Promise<unknown>): Promise<void> {
  const seen = new Set<unknown>();
  // On a busy machine the attacker may not get its turn at once: it is waited for, not assumed.
  for (let done = 0; done < times || (seen.size < 2 && done < 50 * times); done += atOnce) {
    const shown = await Promise.all(Array.from({ length: atOnce }, look));
    for (const one of shown.filter(Boolean)) {
      seen.add(one);
    }
  }
  deepEqual(seen, new Set([good, 'refused']));
}
