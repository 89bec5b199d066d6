import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, type RootsFindings } from '../../../../src/domain/rootsCheck/rootsFindings.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import type { RootsRoute } from '../../../../src/domain/servers/serverDefinition.ts';

const obedient: RootsFindings = {
  era: 'legacy',
  protocolVersion: '2025-11-25',
  firstAsked: { kind: 'start' },
  asksAgain: true,
  outside: false,
  added: true,
  withdrawn: false,
  emptied: false,
  called: ['read_file', 'stat'],
};

/** The table, each row in a line. */
const facts = (findings: Partial<RootsFindings> = {}, rootsAs: readonly RootsRoute[] = ['roots']) =>
  factsOf({ ...obedient, ...findings }, rootsAs).map(({ what, seen, todo }) =>
    [what, seen, ...(todo ? [todo] : [])].map(inEnglish).join(' | '),
  );

const news = (findings: Partial<RootsFindings>, rootsAs?: readonly RootsRoute[]) => {
  const usual = facts();
  return facts(findings, rootsAs).filter(line => !usual.includes(line));
};

test('of a server that keeps to its roots the table says what was seen, and there is nothing to do', () => {
  assert.deepEqual(facts(), [
    'Protocol revision | 2025-11-25',
    'Asked for its roots | at its start',
    'Asked again after each change | yes',
    'Read a folder that it was not told of | no',
    'Read a folder that was added later | yes',
    'Kept a folder that was taken away | no',
    'Kept its old folders when told of none | no',
    'Called tools | read_file, stat',
  ]);
});

test('what a server does not keep to comes with what to do about it', () => {
  const open = { asksAgain: false, outside: true, withdrawn: true, emptied: true };
  assert.deepEqual(news(open), [
    'Asked again after each change | no | Restart it when its folders change.',
    'Read a folder that it was not told of | yes | Its roots are no limit to it. Only a sandbox is.',
    'Kept a folder that was taken away | yes | Restart it when you revoke a folder.',
    'Kept its old folders when told of none | yes | MCP Roots stops it when it loses its last folder.',
  ]);
});

test('each occasion on which a server first asks is named', () => {
  const { asksAgain: _, ...rest } = obedient;
  const asked = (findings: Partial<RootsFindings>) => news({ ...rest, ...findings });
  assert.deepEqual(asked({ firstAsked: { kind: 'change' } }), [
    'Asked for its roots | when it was told of a change',
  ]);
  assert.deepEqual(asked({ firstAsked: { kind: 'call', tool: 'read' } }), [
    'Asked for its roots | in a call of read',
  ]);
  assert.deepEqual(asked({ firstAsked: { kind: 'never' } }), [
    'Asked for its roots | never | Its roots do not decide what it can reach. Only a sandbox does.',
  ]);
  assert.deepEqual(asked({ era: 'modern', firstAsked: { kind: 'never' } }), [
    'Asked for its roots | never | It may ask in an older revision: set "protocol" to "legacy" in its definition, and check it again.',
  ]);
});

test('what could not be seen is said to be that, and why there is no more', () => {
  const { era, protocolVersion, firstAsked } = obedient;
  const little: RootsFindings = { era, protocolVersion, firstAsked, called: [], cutShort: 'ended' };
  assert.deepEqual(
    factsOf(little, ['roots']).map(({ seen }) => inEnglish(seen)),
    [
      '2025-11-25',
      'at its start',
      ...['not seen', 'not seen', 'not seen', 'not seen', 'not seen'],
      'none reads by a path and is sure to change nothing',
      'no: it ended by itself',
    ],
  );
  assert.deepEqual(news({ cutShort: 'time' }), [
    'Was watched to the end | no: the check took too long',
  ]);
});

test('where a definition offers no roots, the table says how use differs from the check', () => {
  assert.deepEqual(news({}, ['args', 'roots']), []);
  assert.deepEqual(news({}, ['args']), [
    'Is offered its roots in use | no | This check offered them. "rootsAs" in its definition leaves "roots" out.',
  ]);
});
