import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { pathBeside } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder, setServers } from '../support/recorder.ts';
import { becomes, detailsOf, rowOf, serverNamed } from '../support/shownRows.ts';

describe('a server that is downloaded when it starts', () => {
  const person = personForEachTest();

  it('is said to be, in its row and while it is waited for, and ends when that is cancelled', async function () {
    if (process.platform === 'win32') {
      this.skip(); // No program is run by a shebang there.
    }
    const own = new Recorder('downloaded');
    const { command, args } = own.definition({ isMute: true });
    const words = [command, ...args].map(word => `'${word}'`).join(' ');
    const npx = join(mkdtempSync(pathBeside('bin-')), 'npx');
    writeFileSync(npx, `#!/bin/sh\nexec ${words}\n`, { mode: 0o755 });
    await setServers({ [own.name]: { command: npx, args: ['-y', 'files'] } });
    const { withProgress } = vscode.window;
    const cancellation = new vscode.CancellationTokenSource();
    const titles: unknown[] = [];
    Object.assign(vscode.window, {
      withProgress: ({ title }: vscode.ProgressOptions, task: (...args: unknown[]) => unknown) => {
        titles.push(title);
        return task({ report: () => {} }, cancellation.token);
      },
    });
    person().will(own.name, 'Choose Folders…', ['api'], 'For This Session');
    const starting = vscode.commands.executeCommand('mcpRoots.startServer');
    await own.until(({ bytes }) => bytes.includes('server/discover'));
    const server = await serverNamed(own.name);
    assert.deepEqual(rowOf(server), ['server.starting', 'starting…']);
    assert.ok(detailsOf(server).includes('It may be downloading what it runs'));
    await own.until(() => titles.length > 0);
    assert.deepEqual(titles, ['Starting "downloaded", it may be downloading…']);
    cancellation.cancel();
    await starting;
    Object.assign(vscode.window, { withProgress });
    await becomes(server, ({ state }) => state.kind === 'stopped');
    await own.ended();
    assert.equal(own.pids.length, 1);
  });
});
