import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { personForEachTest } from '../support/person.ts';
import { Recorder } from '../support/recorder.ts';
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

  it('is passed on to servers, unless the settings keep it from extensions', async function () {
    if (process.platform !== 'linux') {
      this.skip(); // Only there is the environment of another process readable.
    }
    const own = await new Recorder('proxied').define();
    await http().update('noProxy', ['localhost'], Global);
    await http().update('proxy', url, Global);
    const server = await startWith(person(), own.name, 'api');
    assert.deepEqual(proxiesOf(own), [url, url, 'localhost']);
    await http().update('proxySupport', 'off', Global);
    await server.stop();
    await server.start('by-hand');
    assert.deepEqual(proxiesOf(own), [undefined, undefined, undefined]);
    await server.stop();
  });
});

/** The proxies in the environment of its last process. */
function proxiesOf({ pids }: Recorder): readonly (string | undefined)[] {
  const variables = readFileSync(`/proc/${pids.at(-1)}/environ`, 'utf8').split('\0');
  return ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].map(name =>
    variables.find(one => one.startsWith(`${name}=`))?.slice(name.length + 1),
  );
}
