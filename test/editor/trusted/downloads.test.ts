import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { pathBeside } from '../support/folders.ts';
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { node, setServers } from '../support/recorder.ts';
import { becomes, detailsOf, rowOf, serverNamed } from '../support/shownRows.ts';

/** A mute server behind a program with the name of one that downloads. */
class Download extends OwnServer {
  override async define(): Promise<void> {
    await this.defineAs({}, { isMute: true });
    const { args = [] } = definitions()?.[this.name] ?? {};
    const npx = join(mkdtempSync(pathBeside('bin-')), 'npx');
    const words = [node, ...args].map(word => `'${word}'`).join(' ');
    writeFileSync(npx, `#!/bin/sh\nexec ${words}\n`, { mode: 0o755 });
    await setServers({ [this.name]: { command: npx, args: ['-y', 'files'] } });
  }
}

function definitions() {
  const configuration = vscode.workspace.getConfiguration('mcpRoots');
  return configuration.get<Readonly<Record<string, { readonly args?: string[] }>>>('servers');
}

describe('a server that is downloaded when it starts', () => {
  const person = personForEachTest();

  it('is said to be, in its row and while it is waited for, and ends when that is cancelled', async function () {
    if (process.platform === 'win32') {
      this.skip(); // No program is run by a shebang there.
    }
    const own = new Download('downloaded');
    await own.define();
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
