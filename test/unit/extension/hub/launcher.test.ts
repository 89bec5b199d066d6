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
import { thisPlatform } from '../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

/** A server that only prints its version and its arguments. */
const serverOf = (version: string) => `console.log('${version}', ...process.argv.slice(2));\n`;

function installed(t: TestContext) {
  const folder = tempFolder(t);
  writeTree(folder, { "it's 1.0/s.js": serverOf('old'), "it's 1.1/s.js": serverOf('new') });
  const hub = join(folder, 'storage', 'hub');
  const [launcher, next] = ['1.0', '1.1'].map(
    version => new Launcher(join(hub, 'start.cjs'), join(folder, `it's ${version}`, 's.js')),
  );
  return { hub, launcher: launcher!, next: next! };
}

function run(launcher: string, ...args: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [launcher, ...args], {
    encoding: 'utf8',
  });
  return { said: stdout, complained: stderr, status };
}

describe('a launcher', () => {
  test('is created on demand, and passes its arguments on', async t => {
    const { hub, launcher } = installed(t);
    await launcher.refresh();
    equal(existsSync(hub), false);
    await launcher.prepare();
    deepEqual(readdirSync(hub), ['start.cjs']);
    const said = 'old --config a b\n';
    deepEqual(run(launcher.path, '--config', 'a b'), { said, complained: '', status: 0 });
  });

  test('follows the extension to its next version', async t => {
    const { hub, launcher, next } = installed(t);
    await launcher.prepare();
    await next.refresh();
    equal(run(next.path).said, 'new\n');
    deepEqual(readdirSync(hub), ['start.cjs']);
  });

  test('is not written without a change', async t => {
    const { launcher } = installed(t);
    await launcher.prepare();
    const before = statSync(launcher.path, { bigint: true });
    await launcher.refresh();
    await launcher.prepare();
    const after = statSync(launcher.path, { bigint: true });
    deepEqual([after.ino, after.mtimeNs], [before.ino, before.mtimeNs]);
  });

  test('says where and why it could not be written', async t => {
    const { hub, launcher } = installed(t);
    mkdirSync(join(hub, '..'), { recursive: true });
    writeFileSync(hub, 'in the way');
    const failure = { name: 'HumanError', message: /[\\/]hub: E\w+/ };
    await rejects(launcher.prepare(), failure);
    await rejects(prepareHubConfig(launcher), failure);
  });
});

test('creates the configuration of the hub beside the launcher, and never overwrites it', async t => {
  const { hub, launcher } = installed(t);
  const file = await prepareHubConfig(launcher);
  deepEqual([file, hubConfigFile(launcher)], [join(hub, 'servers.json'), file]);
  equal(readFileSync(file, 'utf8'), configTemplate);
  if (thisPlatform !== 'win32') {
    equal(statSync(file).mode & 0o777, 0o600);
  }
  writeFileSync(file, '{ "mcpServers": { "mine": {} } }');
  await prepareHubConfig(launcher);
  equal(readFileSync(file, 'utf8'), '{ "mcpServers": { "mine": {} } }');
});

describe('the program of a launcher', () => {
  test('says that MCP Roots is gone', t => {
    const folder = tempFolder(t);
    writeFileSync(join(folder, 'l.cjs'), launcherText(join(folder, 'server.js')));
    const { said, complained, status } = run(join(folder, 'l.cjs'));
    deepEqual([said, status], ['', 1]);
    match(complained, / at .*server\.js /);
  });

  for (const version of ['18.20.4', '9.11.2']) {
    test(`refuses Node ${version}`, () => {
      const complaints: string[] = [];
      const process = { version: `v${version}`, versions: { node: version }, exitCode: 0 };
      runInNewContext(launcherText('/proj/server.js'), {
        process,
        console: { error: (text: string) => complaints.push(text) },
        require: () => {
          throw new Error('ran');
        },
      });
      deepEqual([complaints.length, process.exitCode], [1, 1]);
      match(complaints[0] ?? '', new RegExp(` Node 20 .* v${version}\\.$`));
    });
  }
});
