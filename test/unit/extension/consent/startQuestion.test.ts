import { match } from 'node:assert/strict';
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
