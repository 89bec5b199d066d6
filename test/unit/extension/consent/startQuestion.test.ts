import { deepEqual, match } from 'node:assert/strict';
import { test } from 'node:test';
import { startDetail } from '../../../../src/extension/consent/startQuestion.ts';
import { bundledFields, bundledServer } from '../../../../src/extension/servers/bundledServer.ts';
import { onlyOn } from '../../../support/systems.ts';

const skip = onlyOn('linux', 'there is no sandbox elsewhere');

test('the question before the start of the bundled server names its sandbox', { skip }, () => {
  const definition = bundledServer('/extension', { allowWrite: false, isBundledSandboxed: true });
  const asked = { definition, fields: bundledFields(definition) };
  match(
    startDetail(asked, undefined, '', []),
    /outside its roots\.\nWhere it can, the system keeps it/,
  );
});

test('that question names no variable and no working directory, which are none of the user', () => {
  const definition = bundledServer('/extension', { allowWrite: true, isBundledSandboxed: false });
  const asked = { definition, fields: bundledFields(definition) };
  deepEqual(startDetail(asked, undefined, 'It will be told of: …', []).split('\n\n').slice(1), [
    'This server comes with the extension. It refuses every path outside its roots.\nInside its roots it may create, change, move and delete files.',
    'It will be told of: …',
  ]);
});
