import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/emitter.ts';
import { diskFolder } from '../../../../src/domain/folders/folders.ts';
import type { CandidateFolders } from '../../../../src/extension/folders/candidateFolders.ts';
import type { RecordKind } from '../../../../src/extension/records/serverRecords.ts';
import { AccessSource } from '../../../../src/extension/servers/accessSource.ts';
import { allowing } from '../../../support/access.ts';
import { shownServer } from '../../../support/shownServer.ts';

test('a look waits for the page, and gives no roots while the page is gone', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const settled = () => new Promise(setImmediate);
  const called: unknown[] = [];
  let answer: () => void = () => {};
  Object.assign(vscode.commands, {
    executeCommand: (command: string) => {
      called.push(command);
      return new Promise<void>(resolve => {
        answer = resolve;
      });
    },
  });
  const folder = diskFolder('/proj/api', 'api', 'directory', 'linux');
  const { definition } = shownServer();
  const { id: serverId } = definition;
  const about = { kind: 'grant', serverId, identity: 'i', fields: {}, folder: folder.uri } as const;
  const grant = { ...about, decision: 'allowed', scope: 'workspace', at: 0 } as const;
  let looks = 0;
  const folders: Partial<CandidateFolders> = {
    onDidChange: new Emitter<void>().event,
    rules: allowing(() => 'allowed').rules as CandidateFolders['rules'],
    refresh: async () => void looks++,
    for: () => [folder],
    isOffered: () => true,
  };
  const source = new AccessSource(folders as CandidateFolders, {
    of: () => [grant] as never,
    onDidChange: new Emitter<RecordKind>().event,
  });
  t.after(() => source.dispose());
  const looking = source.lookAgain();
  await settled();
  deepEqual([called, looks], [['setContext'], 0]);
  answer();
  await looking;
  equal(looks, 1);
  const access = () => {
    const { roots, rule } = source.of(definition, 'i');
    return { roots: roots.map(({ name }) => name), rule };
  };
  deepEqual(access(), { roots: ['api'], rule: undefined });

  const told: unknown[] = [];
  source.onDidChange(() => told.push(access().rule));
  for (let beat = 0; beat < 13; beat++) {
    t.mock.timers.tick(2500);
    await settled();
  }
  deepEqual(access(), { roots: [], rule: 'no-page' });
  deepEqual(told.at(-1), 'no-page');
  answer();
  await settled();
  t.mock.timers.tick(2500);
  answer();
  await settled();
  deepEqual(access(), { roots: ['api'], rule: undefined });
  deepEqual(told.at(-1), undefined);
});
