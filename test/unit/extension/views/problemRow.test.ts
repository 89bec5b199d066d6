import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sentence } from '../../../../src/domain/sentence.ts';
import type { Failure } from '../../../../src/domain/servers/serverFailure.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import { problemItem } from '../../../../src/extension/views/problemItem.ts';
import {
  accessOf,
  allowed,
  exclusion,
  folder,
  running,
  shownServer,
} from '../../../support/shownServer.ts';

describe('the row of a problem', () => {
  const item = (facts: Partial<Server>) =>
    problemItem({ kind: 'problem', server: shownServer(facts) });
  /** Its label, its description and its `contextValue`. */
  const shown = (facts: Partial<Server>): readonly unknown[] => {
    const { label, description, contextValue } = item(facts);
    return [label, description, contextValue];
  };
  const neglecting = { state: running, isNeglecting: true };
  const failed = (failure: Failure) => ({ state: { kind: 'failed', failure } }) as const;

  it('has a problem, a remedy and one button', t => {
    const token = 'MCP_ROOTS_TEST_TOKEN';
    process.env[token] = 'of the editor';
    t.after(() => delete process.env[token]);
    const end = { code: 1, signal: null, stderr: [`${token} is not set`] };
    const wanting = failed({ kind: 'ended', end });
    const unauthorized = failed({ kind: 'unauthorized', message: 'HTTP 401' });
    assert.deepEqual([neglecting, unauthorized, wanting].map(shown), [
      ['folders have changed', 'Restart', 'problem.restart'],
      ['requires a sign-in', 'Sign In', 'problem.sign-in'],
      ['needs MCP_RO…OKEN', 'Pass Variables On…', 'problem.pass-on'],
    ]);
  });

  it('says that a running server sees no folder where an answer could change it', () => {
    const [api, denied] = [folder('api'), exclusion(folder('web'), 'denied')];
    const labels = [
      [denied],
      [exclusion(api, 'not-offered'), denied],
      [denied, allowed(api)],
      [denied, exclusion(api, 'undecided')],
      [exclusion(api, 'not-file')],
      [],
    ].map(folders => shown({ state: running, access: accessOf(...folders) })[0]);
    const none = 'may see no folder';
    assert.deepEqual(labels, [none, none, '', '', '', '']);
    assert.deepEqual(shown({ access: accessOf(denied) })[0], '');
  });

  it('does the act of its button on a click', () => {
    const row = { kind: 'problem', server: shownServer(neglecting) } as const;
    assert.deepEqual(problemItem(row).command, {
      title: 'Restart',
      command: 'mcpRoots.restartServer',
      arguments: [row],
    });
  });

  it('does not lead the user to the definition of the bundled server', () => {
    const definition = { ...shownServer().definition, id: 'bundled' };
    const protocol = failed({ kind: 'protocol', message: 'x' });
    assert.equal(shown({ ...protocol, definition })[2], 'problem.show-log');
  });

  it('names a missing program, in full in the tooltip', () => {
    const program = 'no-such-program';
    const message = sentence('"{0}" was not found on PATH', program);
    const lacking = failed({ kind: 'not-started', message, lack: { program } });
    assert.deepEqual(shown(lacking), ['"no-suc…gram" not found', 'Edit…', 'problem.edit']);
    const { tooltip, accessibilityInformation } = item(lacking);
    assert.match(String(tooltip), /"no-such-program"/);
    assert.match(String(accessibilityInformation?.label), / files: "no-such-program" /);
  });

  it('gives the reason of a refused start once in its tooltip', () => {
    const message = sentence('It is not at {0}.', '/x/here');
    const lack = { named: sentence('no folder "{0}"', 'here') };
    const tooltip = (failure: Failure) => String(item(failed(failure)).tooltip).split('\n');
    const reason = 'It is not at /x/here.';
    assert.deepEqual(
      [tooltip({ kind: 'not-started', message, lack }), tooltip({ kind: 'not-started', message })],
      [
        ['files: no folder "here"', reason],
        ['files: could not be started', reason],
      ],
    );
  });

  it('has the last lines of the process in its tooltip', () => {
    const stderr = ['waiting for the database'];
    const failures: readonly Failure[] = [
      { kind: 'ended', end: { code: 1, signal: null, stderr } },
      { kind: 'silent', seconds: 60, stderr },
    ];
    const tooltips = failures.map(failure => String(item(failed(failure)).tooltip).split('\n'));
    const lastLines = tooltips.map(lines => lines.at(-2));
    assert.deepEqual(lastLines, [stderr[0], stderr[0]]);
  });
});
