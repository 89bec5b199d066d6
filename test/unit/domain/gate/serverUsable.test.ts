import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyRefused } from '../../../../src/domain/gate/gate.ts';
import { whyUnpublished } from '../../../../src/domain/gate/serverUsable.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { accessOf } from '../../../support/publishing.ts';
import { said } from '../../../support/texts.ts';

const facts = {
  definition: { label: 'files' },
  isOffered: true,
  isLaunchAllowed: true,
  access: accessOf(),
};

test('lets clients use a server that the user agreed to and that may see a folder', () => {
  assert.equal(whyRefused({ server: facts }), undefined);
});

test('says for each missing condition what to do', () => {
  const without = (changed: Partial<typeof facts>) => {
    const why = whyRefused({ server: { ...facts, ...changed } });
    return why && said(inEnglish(why));
  };
  const waits = 'serverUsable.reasons.waiting(files)';
  const refused = 'serverUsable.reasons.refused(files)';
  foundAsExpected({
    restricted: [without({ access: accessOf('restricted') }), 'startStep.restricted()'],
    'not on disk': [without({ access: accessOf('not-file') }), 'startStep.reasons(files)'],
    'no folder': [
      without({ access: { ...accessOf(), folders: [], roots: [] } }),
      'startStep.reasons(files)',
    ],
    undecided: [without({ access: accessOf('undecided') }), waits],
    'not agreed to': [without({ isLaunchAllowed: false }), waits],
    denied: [without({ access: accessOf('denied') }), refused],
    both: [without({ access: accessOf('denied'), isLaunchAllowed: false }), refused],
    'by rule': [
      without({ access: { ...accessOf(), rule: 'chat.mcp.access' } }),
      'editorRules.forbidden(chat.mcp.access, files)',
    ],
  });
});

test('gives the editor the servers that clients can use and the user offers', () => {
  assert.equal(whyUnpublished(facts), undefined);
  const hidden = whyUnpublished({ ...facts, isOffered: false });
  assert.equal(hidden && said(inEnglish(hidden)), 'serverUsable.whyUnpublished(files)');
  const denied = { ...facts, access: accessOf('denied') };
  assert.deepEqual(whyUnpublished(denied), whyRefused({ server: denied }));
});
