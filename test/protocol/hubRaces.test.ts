import { deepEqual, equal, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { verdictsIn } from '../support/auditLines.ts';
import { type Message, rootOf } from '../support/bundledServer.ts';
import { isSoak } from '../support/effort.ts';
import { startHub } from '../support/hub.ts';
import { configOf, echoServer } from '../support/hubServers.ts';
import { hubCall, isDenied, isPassed, rawHub } from '../support/rawHub.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

const calls = isSoak ? 1000 : 300;
const rounds = isSoak ? 30 : 6;
const notice = { method: 'notifications/roots/list_changed' };

/** Half of the calls are for `two`, which is shared at first, and half for `three`. */
const folderOf = (number: number) => (number % 2 === 0 ? 'two' : 'three');
const firstId = 1000;

describe('calls through the hub that race a change of the roots', { concurrency: 2 }, () => {
  test('are judged by the new roots after the notice, and counted in the audit', async t => {
    const scene = await openScene(t);
    const { before, after } = await raceChange(scene, ['three']);
    // No call sent after the notice was answered before the new roots were known.
    deepEqual(
      before.filter(({ number }) => number >= calls / 2),
      [],
    );
    ok(before.some(({ message }) => isPassed(message)));
    const late = after.filter(({ number }) => number >= calls / 2);
    equal(late.length, calls / 2);
    for (const { number, message } of late) {
      const isRight = folderOf(number) === 'three' ? isPassed : isDenied;
      ok(isRight(message), `${number} for ${folderOf(number)}: ${JSON.stringify(message)}`);
    }
    deepEqual(
      heardBy(scene).filter(number => number >= calls / 2 && folderOf(number) === 'two'),
      [],
    );
    const answered = [...before, ...after];
    equal(answered.length, calls);
    const verdicts = verdictsIn(scene.audit);
    equal(verdicts.length, calls + 1); // And the call that started the server.
    const paths = (verdict: string) =>
      verdicts.filter(each => each.verdict === verdict).flatMap(({ paths = [] }) => paths);
    deepEqual(paths('allowed').map(numberIn).sort(byValue), heardBy(scene).sort(byValue));
    const denied = answered.filter(({ message }) => isDenied(message)).map(({ number }) => number);
    ok(denied.length > 0);
    deepEqual(paths('denied').map(numberIn).sort(byValue), denied.sort(byValue));
    deepEqual(paths('unchecked'), []);
  });

  test('are all refused after the last root was revoked, and do not reach the server', async t => {
    const scene = await openScene(t);
    const { after } = await raceChange(scene, []);
    const late = after.filter(({ number }) => number >= calls / 2);
    deepEqual([late.length, late.filter(({ message }) => !isDenied(message))], [calls / 2, []]);
    deepEqual(
      heardBy(scene).filter(number => number >= calls / 2),
      [],
    );
  });
});

describe('a client that changes its roots', { concurrency: 2 }, () => {
  test('has its next calls judged by the new roots, again and again', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'two/a.txt': '', 'three/a.txt': '' });
    const server = echoServer(t);
    const [two, three] = [join(folder, 'two'), join(folder, 'three')];
    const config = configOf({ echo: server });
    const hub = await startHub(t, { era: 'legacy', config, roots: [two] });
    for (let round = 0; round < rounds; round++) {
      const [shared, other] = round % 2 === 0 ? [three, two] : [two, three];
      const changed = hub.setRoots([shared!]);
      // Not awaited in between: on the pipe, the notice and the calls follow each other.
      const call = (at: string) => hub.call('echo', 'echo', { path: join(at, 'a.txt'), round });
      const [inside, outside] = await Promise.all([call(shared!), call(other!), changed]);
      equal(inside.isError ?? false, false, `${round}: ${inside.content[0]?.text}`);
      ok(isDenied({ result: { ...outside } }), `${round}: ${outside.content[0]?.text}`);
    }
  });
});

/** A hub that knows the root `two`, with one server that echoes. */
async function openScene(t: TestContext) {
  const folder = tempFolder(t);
  writeTree(folder, { 'two/': '', 'three/': '' });
  const server = echoServer(t);
  const audit = join(folder, 'audit.jsonl');
  const session = await rawHub(t, {
    config: configOf({ echo: server }),
    roots: [join(folder, 'two')],
    args: ['--audit', audit],
  });
  session.send(hubCall(firstId - 1, 'echo', 'echo', { path: join(folder, 'two', '-1.txt') }));
  const { result } = await session.answerTo(firstId - 1);
  equal(result?.isError ?? false, false, result?.content[0]?.text);
  return { session, server, folder, audit };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

interface Answered {
  readonly number: number;
  readonly message: Message;
}

/**
 * Sends half of the calls, the notice and the other half, all but the first calls in one piece.
 * `before` is what was answered until the new roots were told, which happens late.
 */
async function raceChange({ session, folder }: Scene, names: readonly string[]) {
  const all = Array.from({ length: calls }, (_, number) =>
    hubCall(firstId + number, 'echo', 'echo', {
      path: join(folder, folderOf(number), `${number}.txt`),
    }),
  );
  session.send(...all.slice(0, 50));
  // Answers after the notice are held until the new roots are known. Without this wait, a slow
  // server might have all its answers held.
  const first = await session.next(isPassed);
  session.send(...all.slice(50, calls / 2), notice, ...all.slice(calls / 2));
  const asked = await session.rootsRequest();
  // Earlier messages have arrived once a later ping is answered.
  session.send({ id: 50, method: 'ping' });
  const before: Answered[] = [{ number: first.id! - firstId, message: first }];
  for (;;) {
    const message = await session.next(({ method }) => method === undefined);
    if (message.id === 50) {
      break;
    }
    before.push({ number: message.id! - firstId, message });
  }
  const roots = names.map(name => rootOf(join(folder, name)));
  session.send({ id: asked.id, result: { roots } });
  const after: Answered[] = [];
  while (before.length + after.length < calls) {
    const message = await session.next(({ method }) => method === undefined);
    after.push({ number: message.id! - firstId, message });
  }
  return { before, after };
}

function heardBy({ server }: Scene): number[] {
  return server.heard().map(({ args }) => numberIn((args as { readonly path: string }).path));
}

function numberIn(path: string): number {
  return Number(/(-?\d+)\.txt$/.exec(path)?.[1]);
}

function byValue(one: number, other: number): number {
  return one - other;
}
