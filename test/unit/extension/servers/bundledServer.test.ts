import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { StdioLaunch } from '../../../../src/domain/servers/launch.ts';
import type { ServerDefinition } from '../../../../src/domain/servers/serverDefinition.ts';
import { changedFields, identityOf } from '../../../../src/domain/servers/serverIdentity.ts';
import {
  bundledFields,
  bundledServer,
  isWritingBundledServer,
} from '../../../../src/extension/servers/bundledServer.ts';

function stdio(definition: ServerDefinition | undefined): StdioLaunch {
  assert.equal(definition?.launch.type, 'stdio');
  return definition.launch;
}

describe('the definition of the bundled server', () => {
  const folder = join('/proj', 'extension-1');
  const updated = join('/proj', 'extension-2');
  const options = (allowWrite: boolean, isBundledSandboxed = true) => {
    return { allowWrite, isBundledSandboxed };
  };
  const reading = bundledServer(folder, options(false));
  const writing = bundledServer(folder, options(true));

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

  it('has its revision, so that a slow start is not taken for an older server', () => {
    assert.equal(reading.protocol, '2026-07-28');
  });

  it('is kept in a sandbox without a network, unless that is off', () => {
    assert.deepEqual(reading.sandboxIfAny, { read: [], write: [], network: false });
    assert.equal(bundledServer(folder, options(false, false)).sandboxIfAny, undefined);
  });

  it('has the editor run its program as Node does', () => {
    assert.deepEqual(stdio(reading).env, { ELECTRON_RUN_AS_NODE: '1' });
  });
});
