import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ProtocolChoice } from '../../src/domain/servers/serverDefinition.ts';
import type { Target } from '../../src/mcp/openWire.ts';
import type { HomemadeBehavior } from './homemadeServer.ts';
import { patience } from './patience.ts';
import { allGone, atEnd } from './processes.ts';
import { testTimes } from './recordingConnection.ts';
import { programStart } from './recordingServer.ts';
import {
  type CheckTimes,
  defaultCheckTimes,
  RootsCheck,
  type RootsCheckOutcome,
  type RootsFindings,
} from './rootsCheckRun.ts';
import { testOwner } from './testOwner.ts';

/** For servers of which it is known that nothing more comes. */
export const hasty = { settle: 300, pause: 20 };

/** For what comes, and is waited for no longer than that takes. */
const patient = {
  ...defaultCheckTimes,
  ...{ whole: 10 * patience, settle: patience, pause: 20, call: patience },
  connection: { ...testTimes, stop: { end: patience, terminate: patience } },
};

/** A check of the code under test, and what was seen of it. */
export interface ObservedCheck {
  readonly check: RootsCheck;
  /** The processes that came to run. */
  readonly pids: readonly number[];
  /** The throw-away folders that the server was to be told of first. */
  readonly folders: readonly string[];
}

/** A check of the code under test. The test fails if a folder or a process of it is left at its end. */
export function rootsCheck(
  t: TestContext,
  target: (rootPaths: readonly string[], later: string) => Target | Promise<Target>,
  times: Partial<CheckTimes> = {},
  protocol: ProtocolChoice = 'auto',
): ObservedCheck {
  const folders: string[] = [];
  const pids: number[] = [];
  const check = new RootsCheck({
    clientInfo: { name: 'test-client', version: '1' },
    owner: testOwner(t),
    target: async (roots, later) => {
      const rootPaths = roots.map(({ path }) => path);
      folders.push(...rootPaths);
      return target(rootPaths, later);
    },
    protocol,
    follow: connection => {
      connection.onDidChangeState(state => {
        if (state.kind === 'running' && state.pid !== undefined) {
          pids.push(state.pid);
        }
      });
    },
    times: { ...patient, ...times },
  });
  atEnd(t, async () => {
    await allGone(pids);
    assert.deepEqual(
      folders.filter(path => existsSync(dirname(path))),
      [],
    );
    assert.equal(folders.length, 1);
  });
  return { check, pids, folders };
}

/** What was found. The test fails if it was nothing. */
export function findingsOf(outcome: RootsCheckOutcome): RootsFindings {
  assert.equal(outcome.kind, 'found', JSON.stringify(outcome));
  return outcome.kind === 'found' ? outcome.findings : assert.fail();
}

/** A program as the server to be checked, started in the folder that it is told of first. */
export function inFirstFolder(program: string, ...args: string[]) {
  return ([folder]: readonly string[]) => programStart(folder!, program, ...args);
}

/** A server of the older SDK with one tool that reads by path and behaves like this. */
export function homemade(behavior: HomemadeBehavior) {
  return inFirstFolder(fileURLToPath(new URL('homemadeServer.ts', import.meta.url)), behavior);
}
