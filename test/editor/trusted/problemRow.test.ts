import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ServerDefinition } from '../../../src/domain/servers/serverDefinition.ts';
import type { Server } from '../../../src/extension/servers/server.ts';
import { problemItem } from '../../../src/extension/views/problemItem.ts';
import { running, type ShownServer, shownServer } from '../../support/shownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { setServers } from '../support/recorder.ts';
import { becomes, serverNamed } from '../support/shownRows.ts';

/** The label of a problem's row, its description and its `contextValue`. */
function shown(server: Server): readonly unknown[] {
  const { label, description, contextValue } = problemItem({ kind: 'problem', server });
  return [label, description, contextValue];
}

describe('the row of a problem', () => {
  const person = personForEachTest();
  const of = (facts: Partial<ShownServer>) => shown(shownServer(facts));
  const failed = (failure: object) => ({
    state: { kind: 'failed', failure } as unknown as Server['state'],
  });

  /** Starts a server by hand, agreeing to that and leaving the message about its failure alone. */
  async function started(name: string, definition: object): Promise<Server> {
    await setServers({ [name]: definition });
    person().will(name, 'Allow', 'For This Session');
    await vscode.commands.executeCommand('mcpRoots.startServer');
    const server = await serverNamed(name);
    await becomes(server, ({ state }) => state.kind === 'failed');
    return server;
  }

  it('says what happened and what to do, with one button for it', () => {
    assert.deepEqual(of({ state: running, isNeglecting: true }), [
      'its folders changed',
      'Restart',
      'problem.restart',
    ]);
    assert.deepEqual(of(failed({ kind: 'unauthorized', message: 'HTTP 401' })), [
      'requires a sign-in',
      'Sign In',
      'problem.sign-in',
    ]);
  });

  it('does on a click what its button does', () => {
    const row = {
      kind: 'problem',
      server: shownServer({ state: running, isNeglecting: true }),
    } as const;
    assert.deepEqual(problemItem(row).command, {
      title: 'Restart',
      command: 'mcpRoots.restartServer',
      arguments: [row],
    });
  });

  it('does not send a person into the definition of the bundled server', () => {
    const bundled = { ...shownServer().definition, id: 'bundled' } as ServerDefinition;
    const protocol = failed({ kind: 'protocol', message: 'x' });
    assert.equal(of({ ...protocol, definition: bundled })[2], 'problem.show-log');
  });

  it('names the program that is not there, and the page that says how it is installed', async () => {
    const server = await started('absent', { command: 'no-such-program' });
    assert.deepEqual(shown(server), ['"no-suc…gram" not found', 'Edit…', 'problem.edit']);
    const { tooltip, accessibilityInformation } = problemItem({ kind: 'problem', server });
    assert.match(String(tooltip), /"no-such-program" was not found on PATH/);
    assert.match(String(tooltip), /^Correct its command$/m);
    assert.equal(
      accessibilityInformation?.label,
      'Problem of absent: "no-such-program" not found. Correct its command.',
    );
    assert.doesNotMatch(String(tooltip), /ENOENT|spawn/);
  });

  it('passes on a variable that the server names and this editor has', async () => {
    process.env['MCP_ROOTS_TEST_TOKEN'] = 'abc';
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const file = join(folder, 'wants.cjs');
    writeFileSync(
      file,
      `if (!process.env.MCP_ROOTS_TEST_TOKEN) {
        console.error('MCP_ROOTS_TEST_TOKEN is not set');
        process.exit(1);
      }
      process.stdin.resume();`,
    );
    try {
      const server = await started('wants', { command: process.execPath, args: [file] });
      assert.deepEqual(shown(server), ['lacks MCP_RO…OKEN', 'Pass It On…', 'problem.pass-on']);
      person().will('Pass It On');
      await vscode.commands.executeCommand('mcpRoots.passOn', { kind: 'problem', server });
      const setting = vscode.workspace.getConfiguration('mcpRoots').get<object>('servers');
      assert.deepEqual(Object(setting).wants.env, {
        MCP_ROOTS_TEST_TOKEN: '${env:MCP_ROOTS_TEST_TOKEN}',
      });
      assert.match(
        person()
          .seen.map(({ text }) => text)
          .join('\n'),
        /Pass MCP_ROOTS_TEST_TOKEN on to "wants"\?/,
      );
      // It is another server now, which is asked about before it starts.
      const next = await serverNamed('wants');
      assert.notEqual(next.identity, server.identity);
      assert.equal(next.state.kind, 'stopped');
    } finally {
      delete process.env['MCP_ROOTS_TEST_TOKEN'];
      await vscode.workspace.fs.delete(vscode.Uri.file(file));
    }
  });
});
