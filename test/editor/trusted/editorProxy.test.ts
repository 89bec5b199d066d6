import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { startWith } from '../support/shownRows.ts';

describe("the editor's own proxy", () => {
  const person = personForEachTest();

  const http = () => vscode.workspace.getConfiguration('http');
  const { Global } = vscode.ConfigurationTarget;
  const url = 'http://proxy.example:3128';

  afterEach(async () => {
    for (const name of ['proxy', 'noProxy', 'proxySupport']) {
      await http().update(name, undefined, Global);
    }
  });

  it('is passed on to servers, unless it has a password or extensions are not to use it', async function () {
    if (process.platform !== 'linux') {
      this.skip(); // Only there is the environment of another process readable.
    }
    const own = new OwnServer('proxied');
    await own.defineAs();
    await http().update('noProxy', ['localhost'], Global);
    await http().update('proxy', url, Global);
    const server = await startWith(person(), own.name, 'api');
    assert.deepEqual(proxiesOf(own), [url, url, 'localhost']);
    await http().update('proxy', 'http://user:password@proxy.example', Global);
    await server.stop();
    await server.start('by-hand');
    assert.deepEqual(proxiesOf(own), [undefined, undefined, 'localhost']);
    assert.deepEqual(server.lastStart?.withheldProxies, ['HTTP_PROXY', 'HTTPS_PROXY']);
    await http().update('proxy', url, Global);
    await http().update('proxySupport', 'off', Global);
    await server.stop();
    await server.start('by-hand');
    assert.deepEqual(proxiesOf(own), [undefined, undefined, undefined]);
    await server.stop();
  });
});

/** What the environment of its last process says of proxies. */
function proxiesOf({ pids }: OwnServer): readonly (string | undefined)[] {
  const variables = readFileSync(`/proc/${pids.at(-1)}/environ`, 'utf8').split('\0');
  return ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].map(name =>
    variables.find(one => one.startsWith(`${name}=`))?.slice(name.length + 1),
  );
}
