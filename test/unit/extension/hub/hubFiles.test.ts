import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { configTemplate, HubFiles, launcherText } from '../../../../src/extension/hub/hubFiles.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

/** A server that only says which version it is, and with what it was started. */
const serverOf = (version: string) => `console.log('${version}', ...process.argv.slice(2));\n`;

function installed(t: TestContext) {
  const folder = tempFolder(t);
  const old = join(folder, "it's 1.0", 'server.js');
  const next = join(folder, "it's 1.1", 'server.js');
  writeTree(folder, {
    "it's 1.0/server.js": serverOf('old'),
    "it's 1.1/server.js": serverOf('new'),
  });
  return { hub: join(folder, 'storage', 'hub'), old, next };
}

function run(launcher: string, ...args: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [launcher, ...args], {
    encoding: 'utf8',
  });
  return { said: stdout, complained: stderr, status };
}

describe('the files of the hub', () => {
  test('are a configuration and a launcher that hands its arguments on', async t => {
    const { hub, old } = installed(t);
    const files = new HubFiles(hub, old);
    await files.prepare();
    deepEqual(readdirSync(hub).sort(), ['mcp-roots.cjs', 'servers.json']);
    equal(readFileSync(files.config, 'utf8'), configTemplate);
    deepEqual(run(files.launcher, '--config', 'a b'), {
      said: 'old --config a b\n',
      complained: '',
      status: 0,
    });
  });

  test('leave alone what a person wrote', async t => {
    const { hub, old, next } = installed(t);
    const files = new HubFiles(hub, old);
    await files.prepare();
    writeFileSync(files.config, '{ "mcpServers": { "mine": {} } }');
    await new HubFiles(hub, next).prepare();
    equal(readFileSync(files.config, 'utf8'), '{ "mcpServers": { "mine": {} } }');
  });

  test('follow the extension to where its next version is', async t => {
    const { hub, old, next } = installed(t);
    await new HubFiles(hub, old).prepare();
    const files = new HubFiles(hub, next);
    await files.refresh();
    equal(run(files.launcher).said, 'new\n');
    deepEqual(readdirSync(hub).sort(), ['mcp-roots.cjs', 'servers.json']);
  });

  test('are not made for somebody who never asked for them', async t => {
    const { hub, next } = installed(t);
    await new HubFiles(hub, next).refresh();
    equal(existsSync(hub), false);
  });

  test('are not written when nothing changed', async t => {
    const { hub, old } = installed(t);
    const files = new HubFiles(hub, old);
    await files.prepare();
    const before = statSync(files.launcher, { bigint: true });
    await files.refresh();
    const after = statSync(files.launcher, { bigint: true });
    deepEqual([after.ino, after.mtimeNs], [before.ino, before.mtimeNs]);
  });

  test('are for the user alone, since people write secrets into them', {
    skip: process.platform === 'win32',
  }, async t => {
    const { hub, old } = installed(t);
    const files = new HubFiles(hub, old);
    await files.prepare();
    equal(statSync(files.config).mode & 0o777, 0o600);
  });

  test('say where they could not be written, and why', async t => {
    const { hub, old } = installed(t);
    mkdirSync(join(hub, '..'), { recursive: true });
    writeFileSync(hub, 'in the way');
    await rejects(new HubFiles(hub, old).prepare(), {
      name: 'HumanError',
      message: /^The hub's files can't be written to .*[\\/]hub: E\w+/,
    });
  });
});

describe('the launcher', () => {
  test('says that MCP Roots is gone', t => {
    const folder = tempFolder(t);
    writeFileSync(join(folder, 'l.cjs'), launcherText(join(folder, 'server.js')));
    const { said, complained, status } = run(join(folder, 'l.cjs'));
    deepEqual([said, status], ['', 1]);
    match(complained, /^There is no MCP Roots at .*server\.js any more\./);
  });

  for (const version of ['18.20.4', '9.11.2']) {
    test(`says to Node ${version} that it is too old, and runs nothing`, () => {
      const complaints: string[] = [];
      const process = { version: `v${version}`, versions: { node: version }, exitCode: 0 };
      runInNewContext(launcherText('/proj/server.js'), {
        process,
        console: { error: (text: string) => complaints.push(text) },
        require: () => {
          throw new Error('ran');
        },
      });
      deepEqual(complaints, [`MCP Roots needs Node 20 or later. This is v${version}.`]);
      equal(process.exitCode, 1);
    });
  }
});
