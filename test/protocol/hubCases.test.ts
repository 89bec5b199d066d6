import { deepEqual, ok } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Message, RawSession } from '../support/bundledServer.ts';
import { buildCase, movedArguments, shareCase } from '../support/caseTree.ts';
import { isSoak } from '../support/effort.ts';
import { configOf, echoServer } from '../support/hubServers.ts';
import { expectedOfHub, type PathCase, pathCases } from '../support/pathCases.ts';
import { hubCall, isPassed, rawHub } from '../support/rawHub.ts';
import { onlyOn } from '../support/systems.ts';
import { tempFolder } from '../support/temp.ts';

// Not a single path: not a text (P76), and a list with every path inside (P77).
const noTexts = ['P76', 'P77'];
// One case of each kind is enough here: `judgeCases.test.ts` has the verdict on every case.
const some = ['P14', 'P10', 'U10', 'S01', 'H02'];
const cases = pathCases().filter(
  ({ id, platform }) =>
    (platform === 'posix' || platform === 'linux') &&
    (isSoak ? !noTexts.includes(id) : some.includes(id)),
);
const firstId = 1000;

test(`a server gets only the inside paths of ${cases.length} adversarial cases, unchanged`, {
  skip: onlyOn('linux', 'the cases are moved into a tree with the rules of Linux'),
}, async t => {
  const server = echoServer(t);
  const session = await rawHub(t, { config: configOf({ echo: server }), roots: [] });
  const verdicts: string[] = [];
  const passed: string[] = [];
  for (const [number, one] of cases.entries()) {
    const { args, answer } = await tryCase(t, session, { one, id: firstId + number });
    verdicts.push(`${one.id} ${verdictOn(answer)}: ${one.why}`);
    if (expectedOn(one) === 'passed') {
      passed.push(JSON.stringify(args));
    }
  }
  deepEqual(
    verdicts,
    cases.map(one => `${one.id} ${expectedOn(one)}: ${one.why}`),
  );
  ok(passed.length > 0);
  // Changed roots may have restarted it, and each process is recorded separately.
  const heard = server.heard().map(({ args }) => JSON.stringify(args));
  deepEqual(heard.sort(), passed.sort());
});

function expectedOn(one: PathCase): string {
  return expectedOfHub(one) === 'inside' ? 'passed' : 'denied';
}

/** Puts a case on the disk, gives its roots to the session, and calls the server with it. */
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
