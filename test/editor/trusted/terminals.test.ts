import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';
import { connectMain } from '../support/connectedClient.ts';
import { pathBeside, uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { node, Recorder } from '../support/recorder.ts';
import { startWith } from '../support/shownRows.ts';

const messages = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'in-terminal', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'ask', arguments: {} } },
];

describe('a client in a terminal', () => {
  const person = personForEachTest();

  it('reaches the window of its terminal', async function () {
    if (process.platform === 'win32' || vscode.version === '1.105.1') {
      this.skip(); // Its shells are others, and as it comes from npm, that editor has none.
    }
    const recorder = await new Recorder('reached').define();
    await startWith(person(), 'reached', 'api');
    const [said, heard, named] = [pathBeside('said'), pathBeside('heard'), pathBeside('window-id')];
    const lines = messages.map(message => JSON.stringify({ jsonrpc: '2.0', ...message }));
    writeFileSync(said, `${lines.join('\n')}\n`);
    person().will('Until the Window Closes');
    const terminal = vscode.window.createTerminal({ cwd: uriOf('api'), shellPath: '/bin/sh' });
    try {
      // In a folder of several windows, nothing else would lead to this one.
      terminal.sendText(`printf %s "$MCP_ROOTS_WINDOW" > '${named}'`);
      const connector = [node, connectMain, '--server', 'reached'].map(word => `'${word}'`);
      terminal.sendText(`(cat '${said}'; sleep 60) | ${connector.join(' ')} > '${heard}'`);
      const text = await eventually(() => {
        const answers = readFileSync(heard, 'utf8').split('\n').slice(0, -1);
        const answer = answers.map(line => JSON.parse(line)).find(({ id }) => id === 2);
        return answer.result.content[0].text;
      });
      assert.deepEqual(
        JSON.parse(text).map(({ name }: { readonly name: string }) => name),
        ['api'],
      );
      assert.match(readFileSync(named, 'utf8'), /^[\da-f]{16}/);
      assert.match((await person().sees(/^Allow "in-terminal" to use/)).text, /"reached"/);
    } finally {
      terminal.dispose();
    }
    // The process of the window, which described the server, and the process of the client.
    await recorder.until(({ pids }) => pids.length === 2);
  });
});
