import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import {
  configTemplate,
  hubConfigFile,
  prepareHubConfig,
} from '../../../../src/extension/hub/hubConfigFile.ts';
import { Launcher, launcherText } from '../../../../src/extension/hub/launcher.ts';
import { onlyOn } from '../../../support/systems.ts';
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

/** The file that starts a program. */
const launcherIn = (hub: string, program: string) => new Launcher(join(hub, 'start.cjs'), program);

describe('a launcher', () => {
  test('hands its arguments on', async t => {
    const { hub, old } = installed(t);
    const launcher = launcherIn(hub, old);
    await launcher.prepare();
    deepEqual(readdirSync(hub), ['start.cjs']);
    deepEqual(run(launcher.path, '--config', 'a b'), {
      said: 'old --config a b\n',
      complained: '',
      status: 0,
    });
  });

  test('follows the extension to where its next version is', async t => {
    const { hub, old, next } = installed(t);
    await launcherIn(hub, old).prepare();
    const launcher = launcherIn(hub, next);
    await launcher.refresh();
    equal(run(launcher.path).said, 'new\n');
    deepEqual(readdirSync(hub), ['start.cjs']);
  });

  test('is not made for somebody who never asked for it', async t => {
    const { hub, next } = installed(t);
    await launcherIn(hub, next).refresh();
    equal(existsSync(hub), false);
  });

  test('is not written when nothing changed', async t => {
    const { hub, old } = installed(t);
    const launcher = launcherIn(hub, old);
    await launcher.prepare();
    const before = statSync(launcher.path, { bigint: true });
    await launcher.refresh();
    await launcher.prepare();
    const after = statSync(launcher.path, { bigint: true });
    deepEqual([after.ino, after.mtimeNs], [before.ino, before.mtimeNs]);
  });

  test('says where it could not be written, and why', async t => {
    const { hub, old } = installed(t);
    mkdirSync(join(hub, '..'), { recursive: true });
    writeFileSync(hub, 'in the way');
    const failure = {
      name: 'HumanError',
      message: /^The files for clients can't be written to .*[\\/]hub: E\w+/,
    };
    await rejects(launcherIn(hub, old).prepare(), failure);
    await rejects(prepareHubConfig(launcherIn(hub, old)), failure);
  });
});

describe('the configuration of the hub', () => {
  test('is made beside the launcher, and left alone when a person wrote it', async t => {
    const { hub, old } = installed(t);
    const launcher = launcherIn(hub, old);
    const file = await prepareHubConfig(launcher);
    deepEqual([file, hubConfigFile(launcher)], [join(hub, 'servers.json'), file]);
    equal(readFileSync(file, 'utf8'), configTemplate);
    writeFileSync(file, '{ "mcpServers": { "mine": {} } }');
    await prepareHubConfig(launcher);
    equal(readFileSync(file, 'utf8'), '{ "mcpServers": { "mine": {} } }');
  });

  test('is for the user alone, since people write secrets into it', {
    skip: onlyOn('posix', 'Windows has no such modes'),
  }, async t => {
    const { hub, old } = installed(t);
    const file = await prepareHubConfig(launcherIn(hub, old));
    equal(statSync(file).mode & 0o777, 0o600);
  });
});

describe('what a launcher runs', () => {
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
