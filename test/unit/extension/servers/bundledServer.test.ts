import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { StdioLaunch } from '../../../../src/domain/servers/launch.ts';
import type { ServerDefinition } from '../../../../src/domain/servers/serverDefinition.ts';
import { changedFields, identityOf } from '../../../../src/domain/servers/serverIdentity.ts';
import {
  bundledFields,
  bundledServer,
  editorRipgrep,
  isWritingBundledServer,
} from '../../../../src/extension/servers/bundledServer.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

function stdio(definition: ServerDefinition | undefined): StdioLaunch {
  assert.equal(definition?.launch.type, 'stdio');
  return definition.launch;
}

describe('the definition of the bundled server', () => {
  const files = { extensionPath: join('/proj', 'extension-1'), ripgrep: undefined };
  const updated = { extensionPath: join('/proj', 'extension-2'), ripgrep: join('/proj', 'rg') };
  const options = (allowWrite: boolean, isBundledSandboxed = true) => {
    return { allowWrite, isBundledSandboxed };
  };
  const reading = bundledServer(files, options(false));
  const writing = bundledServer(files, options(true));

  it('lets it write only when told so', () => {
    const program = join('/proj', 'extension-1', 'dist', 'server.js');
    assert.deepEqual(stdio(reading).args, [program]);
    assert.deepEqual(stdio(writing).args, [program, '--allow-write']);
    assert.equal(isWritingBundledServer(reading), false);
    assert.equal(isWritingBundledServer(writing), true);
  });

  it('is another identity with writing, which says what changed', () => {
    assert.deepEqual(changedFields(bundledFields(reading), bundledFields(writing)), [
      { field: 'args', before: '', after: '--allow-write' },
    ]);
  });

  it('keeps the identities that people allowed folders, whatever is updated, with a sandbox or without', () => {
    const identities = [false, true].map(allowWrite =>
      [files, updated].map(place =>
        identityOf(bundledFields(bundledServer(place, options(allowWrite, place === files)))),
      ),
    );
    const read = 'ccc34844f6e821e6501d263ce94bf7704dc65fca4ef8c7a8e5dddc77b67425bd';
    const write = '71cb10bd92174efc3a8a2e415f1a6d899111e1f3765569f30dd6375665641902';
    assert.deepEqual(identities, [
      [read, read],
      [write, write],
    ]);
  });

  it('is kept in a sandbox without a network, with the ripgrep of the editor, unless that is off', () => {
    const terms = (read: readonly string[]) => ({ read, write: [], network: false });
    assert.deepEqual(reading.sandboxIfAny, terms([]));
    const rg = join('/proj', 'rg');
    assert.deepEqual(bundledServer(updated, options(true)).sandboxIfAny, terms([rg]));
    assert.equal(bundledServer(files, options(false, false)).sandboxIfAny, undefined);
  });

  it('names the ripgrep of the editor in the environment, and nothing where there is none', () => {
    assert.deepEqual(stdio(reading).env, { ELECTRON_RUN_AS_NODE: '1' });
    assert.deepEqual(stdio(bundledServer(updated, options(false))).env, {
      ELECTRON_RUN_AS_NODE: '1',
      MCP_ROOTS_RIPGREP: join('/proj', 'rg'),
    });
  });
});

describe('the ripgrep of the editor', () => {
  const linux = { platform: 'linux', arch: 'x64' } as const;
  const windows = { platform: 'win32', arch: 'arm64' } as const;

  it('is found wherever a release of VS Code keeps it', t => {
    for (const [system, path] of [
      [linux, 'node_modules/@vscode/ripgrep/bin/rg'],
      [linux, 'node_modules.asar.unpacked/@vscode/ripgrep/bin/rg'],
      [linux, 'node_modules/@vscode/ripgrep-linux-x64/bin/rg'],
      [linux, 'node_modules/@vscode/ripgrep-universal/bin/linux-x64/rg'],
      [linux, 'node_modules.asar.unpacked/@vscode/ripgrep-universal/bin/linux-x64/rg'],
      [windows, 'node_modules/@vscode/ripgrep/bin/rg.exe'],
      [windows, 'node_modules.asar.unpacked/@vscode/ripgrep-universal/bin/win32-arm64/rg.exe'],
    ] as const) {
      const appRoot = tempFolder(t);
      writeTree(appRoot, { [path]: '' });
      assert.equal(editorRipgrep(appRoot, system), join(appRoot, path));
    }
  });

  it('is not one for another system, and not made up where there is none', t => {
    const appRoot = tempFolder(t);
    writeTree(appRoot, {
      'node_modules/@vscode/ripgrep-universal/bin/darwin-arm64/rg': '',
      'node_modules/@vscode/ripgrep-universal/bin/win32-x64/rg.exe': '',
      'node_modules/@vscode/ripgrep/bin/rg.exe': '',
    });
    assert.equal(editorRipgrep(appRoot, linux), undefined);
    assert.equal(editorRipgrep(join(appRoot, 'nowhere'), linux), undefined);
  });
});
