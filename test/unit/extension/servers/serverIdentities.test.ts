import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import * as vscode from 'vscode';
import { defaultTerms, userServer } from '../../../../src/domain/servers/serverDefinition.ts';
import { startDetail } from '../../../../src/extension/consent/startQuestion.ts';
import { bundledServer } from '../../../../src/extension/servers/bundledServer.ts';
import { ServerIdentities } from '../../../../src/extension/servers/serverIdentities.ts';
import { stdioLaunch } from '../../../support/launches.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';

const onLinux = { skip: onlyOn('linux', 'It has /proc.') };

/** The identities of a window with this folder, and whether one binds what its environment file holds. */
function identitiesIn(t: TestContext, folder: string) {
  t.mock.property(vscode.workspace, 'workspaceFolders', [
    { uri: vscode.Uri.file(folder), name: 'api', index: 0 },
  ]);
  const identities = new ServerIdentities({
    get: <T>(_key: string, fallback?: T) => 'key' as T & typeof fallback,
    update: async () => undefined,
  });
  t.after(() => identities.dispose());
  const servers = (...envFiles: readonly string[]) =>
    envFiles.map((envFile, at) => userServer(`${at}`, stdioLaunch({ envFile }), defaultTerms));
  return {
    fieldsOf: identities.fieldsOf.bind(identities),
    /** Reads all at once, and gives those with this text. */
    bound: async (text: string, ...envFiles: readonly string[]) => {
      const all = servers(...envFiles);
      await identities.refresh(all);
      return all.map(one => identities.binds(identities.fieldsOf(one), text));
    },
  };
}

it('binds the contents of an environment file, but not behind a link out', onLinux, async t => {
  const [folder, home] = [tempFolder(t), tempFolder(t)];
  for (const at of [folder, home]) {
    writeFileSync(join(at, '.env'), 'A=1');
  }
  symlinkSync('.env', join(folder, 'in.env'));
  symlinkSync(join(home, '.env'), join(folder, 'out.env'));
  symlinkSync(join(home, '.env'), join(home, 'own.env'));
  const names = ['.env', 'in.env', 'out.env'].map(name => join(folder, name));
  assert.deepEqual(await identitiesIn(t, folder).bound('A=1', ...names, join(home, 'own.env')), [
    true,
    true,
    false,
    true,
  ]);
});

it('uses no memory for endless files of the system', onLinux, async t => {
  const folder = tempFolder(t);
  const names = Array.from({ length: 16 }, (_, at) => join(folder, `${at}.env`));
  for (const name of names) {
    symlinkSync('/proc/self/pagemap', name);
  }
  const own = '/proc/self/pagemap';
  const before = process.memoryUsage.rss();
  const bound = await identitiesIn(t, folder).bound('', ...names, own, `/proc/../${own}`);
  assert.ok(process.memoryUsage.rss() - before < 256 * 1024 * 1024);
  assert.deepEqual(new Set(bound), new Set([false]));
});

it('tells whether user or remote machine lets the bundled server write', t => {
  const { fieldsOf } = identitiesIn(t, '/proj');
  const definition = bundledServer('/extension', { allowWrite: true, isBundledSandboxed: true });
  const asked = (values: object) => {
    const get = () => Object.values(values).at(-1);
    t.mock.method(vscode.workspace, 'getConfiguration', () => ({ get, inspect: () => values }));
    const fields = fieldsOf(definition);
    const [first = ''] = startDetail({ definition, fields }, undefined, '', []).split('\n');
    return [fields['setBy'], first.replace(/ start the server with: .*/, '')];
  };
  const [byUser, byMachine] = [{ globalLocalValue: true }, { globalRemoteValue: true }];
  const merged = { globalValue: true };
  const user = [undefined, 'Your user settings'];
  const machine = ['remote machine', 'The settings of the remote machine'];
  const workspace = [`workspace ${vscode.Uri.file('/proj')}`, 'The settings of this workspace'];
  assert.deepEqual(
    [
      asked({ ...byUser, ...merged }),
      asked({ ...byUser, ...byMachine, ...merged }),
      asked({ ...byMachine, ...merged }),
      asked({ globalLocalValue: false, ...byMachine, ...merged }),
      asked({ ...byMachine, ...merged, workspaceValue: true }),
      asked({ workspaceValue: true }),
      asked({ globalLocalValue: true, globalValue: false, workspaceValue: true }),
      asked({ ...byMachine, ...merged, workspaceValue: false })[0],
    ],
    [user, user, machine, machine, machine, workspace, workspace, undefined],
  );
});
