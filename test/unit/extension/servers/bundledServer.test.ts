import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { changedFields, identityOf } from '../../../../src/domain/servers/serverIdentity.ts';
import {
  bundledFields,
  bundledServer,
  isWritingBundledServer,
} from '../../../../src/extension/servers/bundledServer.ts';

describe('the definition of the bundled server', () => {
  const folder = join('/proj', 'extension-1');
  const updated = join('/proj', 'extension-2');
  const options = (allowWrite: boolean, isBundledSandboxed = true) => {
    return { allowWrite, isBundledSandboxed };
  };
  const reading = bundledServer(folder, options(false));
  const writing = bundledServer(folder, options(true));

  it('runs its program with Node, in a sandbox without a network, in the modern era', () => {
    const { launch, protocol, sandboxIfAny } = reading;
    assert.deepEqual(
      { launch, protocol, sandboxIfAny },
      {
        launch: {
          type: 'stdio',
          command: process.execPath,
          args: [join(folder, 'dist', 'server.js')],
          cwd: homedir(),
          env: { ELECTRON_RUN_AS_NODE: '1' },
          envFile: undefined,
        },
        protocol: '2026-07-28',
        sandboxIfAny: { read: [], write: [], network: false },
      },
    );
    assert.equal(bundledServer(folder, options(false, false)).sandboxIfAny, undefined);
  });

  it('writes only with the setting, under another identity', () => {
    assert.deepEqual([reading, writing].map(isWritingBundledServer), [false, true]);
    assert.deepEqual(changedFields(bundledFields(reading), bundledFields(writing)), [
      { field: 'args', before: '', after: '--allow-write' },
    ]);
  });

  it('keeps the identities of granted folders after an update, with and without a sandbox', () => {
    const identities = [false, true].map(allowWrite =>
      [folder, updated].map(place =>
        identityOf(bundledFields(bundledServer(place, options(allowWrite, place === folder)))),
      ),
    );
    const read = 'ccc34844f6e821e6501d263ce94bf7704dc65fca4ef8c7a8e5dddc77b67425bd';
    const write = '71cb10bd92174efc3a8a2e415f1a6d899111e1f3765569f30dd6375665641902';
    assert.deepEqual(identities, [
      [read, read],
      [write, write],
    ]);
  });
});
