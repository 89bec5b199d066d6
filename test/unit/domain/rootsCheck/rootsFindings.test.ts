import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, type RootsFindings } from '../../../../src/domain/rootsCheck/rootsFindings.ts';
import { inEnglish, sentence } from '../../../../src/domain/sentence.ts';

const obedient: RootsFindings = {
  era: 'legacy',
  protocolVersion: '2025-11-25',
  firstAsked: sentence('at its start'),
  asksAgain: true,
  outside: false,
  added: true,
  withdrawn: false,
  called: ['read_file', 'stat'],
};

/** The table, each row in a line. */
const facts = (findings: Partial<RootsFindings> = {}) =>
  factsOf({ ...obedient, ...findings }).map(({ what, seen, todo }) =>
    [what, seen, ...(todo ? [todo] : [])].map(inEnglish).join(' | '),
  );

const news = (findings: Partial<RootsFindings>) => {
  const usual = facts();
  return facts(findings).filter(line => !usual.includes(line));
};

test('of a server that keeps to its roots the table says what was seen, and there is nothing to do', () => {
  assert.deepEqual(facts(), [
    'Protocol revision | 2025-11-25',
    'Asked for its roots | at its start',
    'Asked again after a change | yes',
    'Read a folder that it was not told of | no',
    'Read a folder that was added later | yes',
    'Kept a folder that was taken away | no',
    'Called tools | read_file, stat',
  ]);
});

test('what a server does not keep to comes with what to do about it', () => {
  const open = { asksAgain: false, outside: true, withdrawn: true };
  assert.deepEqual(news(open), [
    'Asked again after a change | no | Restart it when its folders change.',
    'Read a folder that it was not told of | yes | Its roots are no limit to it. Only a sandbox is.',
    'Kept a folder that was taken away | yes | Restart it when you revoke a folder.',
  ]);
});

test('a server that never asks comes with what to do about it, by its era', () => {
  assert.deepEqual(news({ firstAsked: undefined }), [
    'Asked for its roots | never | Its roots do not decide what it can reach. Only a sandbox does.',
  ]);
  assert.deepEqual(news({ era: 'modern', firstAsked: undefined }), [
    'Asked for its roots | never | It may ask in an older revision: set "protocol" to "legacy" in its definition, and check it again.',
  ]);
});

test('what could not be seen is said to be that, and why there is no more', () => {
  const { era, protocolVersion, firstAsked } = obedient;
  const little: RootsFindings = { era, protocolVersion, firstAsked, called: [], cutShort: 'ended' };
  assert.deepEqual(
    factsOf(little).map(({ seen }) => inEnglish(seen)),
    [
      '2025-11-25',
      'at its start',
      ...['not seen', 'not seen', 'not seen', 'not seen'],
      'none reads by a path and is sure to change nothing',
      'no: it ended by itself',
    ],
  );
  assert.deepEqual(news({ cutShort: 'time' }), [
    'Was watched to the end | no: the check took too long',
  ]);
});
