import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyUnpublished } from '../../../../src/domain/gateway/publication.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';

const roots = [{ uri: 'file:///proj/api', name: 'api' }];
const terms = { isTrusted: true, isOffered: true, isLaunchAllowed: true, access: { roots } };

function reason(changed: Partial<typeof terms>): string | undefined {
  const sentence = whyUnpublished('files', { ...terms, ...changed });
  return sentence && inEnglish(sentence);
}

test('publishes what is offered, agreed to and may see a folder, in a trusted window', () => {
  assert.equal(reason({}), undefined);
});

test('says of each thing that is missing what to do', () => {
  assert.deepEqual(
    [{ isTrusted: false }, { isOffered: false }, { isLaunchAllowed: false }].map(reason),
    [
      'In Restricted Mode "files" is not there for agents.',
      '"files" is not offered to agents. Its menu in the view MCP Roots has "Offer to Agents".',
      '"files" was not agreed to as it is now. Start it in the view MCP Roots first.',
    ],
  );
  assert.equal(
    reason({ access: { roots: [] } }),
    '"files" may see no folder now. Allow it one in the view MCP Roots.',
  );
});
