import { deepEqual, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import type { ExclusionReason } from '../../../../src/domain/consent/statusWords.ts';
import { answerFolders } from '../../../../src/extension/consent/answerFolders.ts';
import type { Row } from '../../../../src/extension/rows.ts';
import type { Screen } from '../../../../src/extension/screen.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import { allowed, exclusion, folder, shownServer } from '../../../support/shownServer.ts';

function row(name: string, reason?: ExclusionReason): Row {
  const access = reason ? exclusion(folder(name), reason) : allowed(folder(name));
  return { kind: 'folder', server: shownServer(), access, name };
}

/** Answers on the folders of rows; gives the saved answers and the texts to confirm. */
async function answered(rows: readonly Row[], isAllowed: boolean, isConfirmed = false) {
  const kept: unknown[] = [];
  const asked: string[] = [];
  const confirm = async (_: string, detail: string) => {
    asked.push(...detail.split('\n'));
    return isConfirmed;
  };
  const set = async (_: Server, { name }: { name: string }, isYes: boolean) =>
    void kept.push([name, isYes]);
  await answerFolders({ set, screen: { confirm } as unknown as Screen }, rows, isAllowed);
  return { kept, asked };
}

test('an answer on several folders is confirmed once, and kept only for changed folders', async () => {
  const names = ['api', 'web'];
  const rows: Row[] = [
    ...[row('api', 'undecided'), row('web', 'denied'), row('docs'), row('home', 'forbidden')],
    { kind: 'server', server: shownServer() },
  ];
  const asked = names.map(name => `• files: /proj/${name}`);
  deepEqual(await answered(rows, true), { kept: [], asked });
  deepEqual(await answered(rows, true, true), { kept: names.map(name => [name, true]), asked });
  deepEqual(await answered([row('api')], false), { kept: [['api', false]], asked: [] });
});

test('an answer on folders that changes nothing says why', async () => {
  await rejects(answered([], true), /Select folders/);
  await rejects(answered([row('api')], true), /allowed already/);
  await rejects(answered([row('web', 'denied')], false), /None of these folders is allowed/);
  await rejects(answered([row('x', 'excluded')], true), /Your answer can't/);
});
