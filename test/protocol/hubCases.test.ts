import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { anyText, junk } from '../support/anyArguments.ts';
import type { Message, RawSession } from '../support/bundledServer.ts';
import { buildCase, movedArguments, shareCase } from '../support/caseTree.ts';
import { effort, isSoak } from '../support/effort.ts';
import { configOf, echoServer, type HubServer } from '../support/hubServers.ts';
import { expectedOfHub, type PathCase, pathCases } from '../support/pathCases.ts';
import { hubCall, isPassed, rawHub } from '../support/rawHub.ts';
import { onlyOn } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

// Not one path: no text at all (P76), and a list of which each path is inside (P77).
const noTexts = ['P76', 'P77'];
// One of each kind is enough here: `judgeCases.test.ts` has the verdict on every one.
const some = ['P14', 'P10', 'U10', 'S01', 'H02'];
const cases = pathCases().filter(
  ({ id, platform }) =>
    (platform === 'posix' || platform === 'linux') &&
    (isSoak ? !noTexts.includes(id) : some.includes(id)),
);
const firstId = 1000;

describe('what a server behind the hub gets to hear', {
  skip: onlyOn('linux', 'the cases are moved into a tree with the rules of Linux'),
  concurrency: 2,
}, () => {
  test(`of ${cases.length} adversarial cases: those inside, as they were written`, async t => {
    const server = echoServer(t);
    const session = await openSession(t, server, []);
    const lines: { readonly actual: string; readonly expected: string }[] = [];
    const passed: unknown[] = [];
    for (const [number, one] of cases.entries()) {
      const expected = expectedOfHub(one) === 'inside' ? 'passed' : 'denied';
      const { args, answer } = await tryCase(t, session, { one, id: firstId + number });
      const line = (verdict: string) => `${one.id} ${verdict}: ${one.why}`;
      lines.push({ actual: line(verdictOn(answer)), expected: line(expected) });
      if (expected === 'passed') {
        passed.push(args);
      }
    }
    deepEqual(
      lines.map(({ actual }) => actual),
      lines.map(({ expected }) => expected),
    );
    ok(passed.length > 0);
    deepEqual(inOrder(heardBy(server)), inOrder(passed));
  });

  test('of arguments with paths in any nesting: those without one that is outside', async t => {
    const top = tempFolder(t);
    const root = join(top, 'root');
    mkdirSync(join(top, 'secret'));
    writeTree(root, { 'src/a.ts': 'text' });
    symlinkSync(join(top, 'secret'), join(root, 'link'));
    const server = echoServer(t);
    const session = await openSession(t, server, [root]);
    const samples = fc.sample(nestings(top, root), { numRuns: 200 * effort, seed: 5 });
    session.send(
      ...samples.map(({ args }, number) => hubCall(firstId + number, 'echo', 'echo', args)),
    );
    const answered: string[] = [];
    for (const [number, { args, holds }] of samples.entries()) {
      const verdict = verdictOn(await session.answerTo(firstId + number));
      const text = JSON.stringify(args);
      if (holds !== 'anything') {
        equal(verdict, holds === 'outside' ? 'denied' : 'passed', text);
      }
      if (verdict === 'passed') {
        answered.push(text);
      }
    }
    const count = (what: Holds) => samples.filter(({ holds }) => holds === what).length;
    ok(count('outside') > 50 * effort && count('inside') > 30 * effort);
    ok(count('anything') > 20 * effort);
    // More wait for the server than it takes on at a time, and of those the order is not kept.
    deepEqual(inOrder(heardBy(server)), inOrder(answered));
  });
});

async function openSession(
  t: TestContext,
  server: HubServer,
  roots: readonly string[],
): Promise<RawSession> {
  return rawHub(t, { config: configOf({ echo: server }), roots });
}

/** Puts a case on the disk, makes its roots those of the session, and calls the server with it. */
async function tryCase(
  t: TestContext,
  session: RawSession,
  { one, id }: { readonly one: PathCase; readonly id: number },
) {
  const top = tempFolder(t);
  const onDisk = buildCase(top, one);
  const { input } = onDisk;
  await shareCase(session, onDisk, one);
  const args = one.kind === 'args' ? movedArguments(input, top) : { path: input };
  session.send(hubCall(id, 'echo', 'echo', args));
  return { args, answer: await session.answerTo(id) };
}

function verdictOn(answer: Message): string {
  const text = answer.result?.content[0]?.text ?? '';
  if (answer.result?.isError && text.startsWith('Access denied: ')) {
    return 'denied';
  }
  return isPassed(answer) ? 'passed' : JSON.stringify(answer);
}

/** In the order in which the server has heard them, if it was but one process. */
function heardBy(server: HubServer): string[] {
  return server.heard().map(({ args }) => JSON.stringify(args));
}

function inOrder(values: readonly unknown[]): string[] {
  return values
    .map(value => (typeof value === 'string' ? value : JSON.stringify(value)))
    .sort((one, other) => (one < other ? -1 : 1));
}

/** Whether one of the paths is outside, all are inside, or there is more that can mean a path. */
type Holds = 'outside' | 'inside' | 'anything';

/** Arguments with some paths somewhere, and what is known of those. */
function nestings(
  top: string,
  root: string,
): fc.Arbitrary<{ readonly args: Record<string, unknown>; readonly holds: Holds }> {
  const outside = fc.constantFrom(
    join(top, 'secret/key'),
    `${top}/root/../secret/key`,
    `${top}/root_evil/a`,
    `${root}/link/key`,
    '/etc/passwd',
    '~/.ssh/id_rsa',
    '../secret/key',
    'src/../../x',
    pathToFileURL(join(top, 'secret')).href,
  );
  const inside = fc.constantFrom(
    join(root, 'src/a.ts'),
    'src/a.ts',
    'src/../src/new',
    pathToFileURL(join(root, 'src')).href,
  );
  const garbage = junk(anyText(['path', 'src/a.ts', root]));
  const part = fc.oneof(
    { weight: 3, arbitrary: outside.map(value => ({ value, holds: 'outside' as Holds })) },
    { weight: 6, arbitrary: inside.map(value => ({ value, holds: 'inside' as Holds })) },
    { weight: 1, arbitrary: garbage.map(value => ({ value, holds: 'anything' as Holds })) },
  );
  const nested = fc
    .tuple(part, fc.array(wrapping, { maxLength: 6 }))
    .map(([{ value, holds }, wraps]) => ({
      value: wraps.reduce<unknown>((inner, wrap) => wrap(inner), value),
      // JSON in a text may be refused for its signs alone.
      holds: holds === 'inside' && wraps.includes(asJson) ? 'anything' : holds,
    }));
  return fc.array(fc.tuple(name, nested), { minLength: 1, maxLength: 3 }).map(members => {
    // The later of two of one name is the one that counts.
    const last = new Map(members);
    const kinds = new Set([...last.values()].map(({ holds }) => holds));
    return {
      args: Object.fromEntries([...last].map(([key, { value }]) => [key, value])),
      holds: (['outside', 'anything', 'inside'] as const).find(kind => kinds.has(kind)) ?? 'inside',
    };
  });
}

const name = fc.constantFrom('path', 'filePaths', 'OUTPUT_DIR', 'anything', 'x', 'target', '');

const wrapping = fc.constantFrom<(value: unknown) => unknown>(
  value => [value],
  value => ['a', value, 'b'],
  value => ({ anything: value }),
  value => ({ a: 1, Options: value }),
  value => ({ paths: value }),
  value => JSON.parse(`{"__proto__":${JSON.stringify(value)}}`),
  asJson,
);

function asJson(value: unknown): string {
  return JSON.stringify({ deep: value });
}
