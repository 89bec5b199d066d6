import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyUnpublished, whyUnusable } from '../../../../src/domain/gateway/usable.ts';
import { inEnglish, type Sentence } from '../../../../src/domain/sentence.ts';
import { accessOf } from '../../../support/publishing.ts';

const facts = {
  definition: { label: 'files' },
  isOffered: true,
  isLaunchAllowed: true,
  access: accessOf(),
};

function inWords(sentence: Sentence | undefined): string | undefined {
  return sentence && inEnglish(sentence);
}

test('lets clients use what is agreed to and may see a folder', () => {
  assert.equal(whyUnusable(facts), undefined);
});

test('says of each thing that is missing what to do', () => {
  const without = (changed: Partial<typeof facts>) =>
    inWords(whyUnusable({ ...facts, ...changed }));
  assert.deepEqual(
    [
      without({ access: accessOf('restricted') }),
      without({ access: accessOf('not-file') }),
      without({ access: { ...accessOf(), folders: [], roots: [] } }),
      without({ access: accessOf('undecided') }),
      without({ isLaunchAllowed: false }),
      without({ access: accessOf('denied') }),
      without({ access: accessOf('denied'), isLaunchAllowed: false }),
      without({ access: { ...accessOf(), rule: 'chat.mcp.access' } }),
    ],
    [
      "In Restricted Mode no server starts and no folder is exposed. Trust the window's workspace first.",
      'The folders of the window are not on disk, so "files" can\'t be told of them.',
      'No folder is open in the window, so there is nothing to expose. Open a folder first.',
      '"files" waits for an answer: start it in the view of MCP Roots.',
      '"files" waits for an answer: start it in the view of MCP Roots.',
      ...Array(2).fill(
        '"files" may see no folder. Allow it one in the view of MCP Roots, then try again.',
      ),
      'The setting chat.mcp.access of the editor, which an organization can set, forbids "files".',
    ],
  );
});

test('tells the editor of what clients can use and the user offers it', () => {
  assert.equal(whyUnpublished(facts), undefined);
  assert.equal(
    inWords(whyUnpublished({ ...facts, isOffered: false })),
    '"files" is not offered to agents. Its menu in the view MCP Roots has "Offer to Agents".',
  );
  const denied = { ...facts, access: accessOf('denied') };
  assert.deepEqual(whyUnpublished(denied), whyUnusable(denied));
});
