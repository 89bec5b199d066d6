import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  comparisonOf,
  detailsOf,
  realUseOf,
  verdictOf,
} from '../../../../src/domain/rootsCheck/findingSentences.ts';
import {
  noFindings,
  type RootsFindings,
  reachAfter,
  type ToolFindings,
  widestReach,
} from '../../../../src/domain/rootsCheck/rootsFindings.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';

const strict: ToolFindings = {
  tool: 'read_file',
  outside: 'refused',
  added: 'served',
  withdrawn: 'refused',
  emptied: 'refused',
};

const obedient: RootsFindings = {
  ...noFindings('legacy', '2025-11-25'),
  firstAsked: { kind: 'start' },
  asksAgain: true,
  called: ['read_file'],
  reading: strict,
  startsWithoutRoots: true,
};

const verdict = (findings: Partial<RootsFindings>) =>
  verdictOf('files', { ...obedient, ...findings })
    .map(inEnglish)
    .join(' ');

const details = (findings: Partial<RootsFindings>) =>
  detailsOf({ ...obedient, ...findings }).map(inEnglish);

test('the verdict says how a server asks, and what it does with an empty list', () => {
  assert.equal(
    verdict({}),
    'files asks for its roots at its start and again after each change. ' +
      'It gives up its folders when it is told of none.',
  );
});

test('the verdict says what follows when a server keeps its folders', () => {
  assert.equal(
    verdict({ reading: { ...strict, emptied: 'served' } }),
    'files asks for its roots at its start and again after each change. ' +
      'It keeps its old folders when it is told of none. ' +
      'MCP Roots therefore stops it when it loses its last folder.',
  );
  assert.equal(
    verdict({ asksAgain: false, reading: { ...strict, withdrawn: 'served', emptied: 'served' } }),
    'files asks for its roots at its start, but not again after each change. ' +
      'It keeps a folder that is revoked until it is restarted. ' +
      'It keeps its old folders when it is told of none. ' +
      'MCP Roots therefore stops it when it loses its last folder.',
  );
});

test('the verdict on a server that reads everything is that, whatever it asks', () => {
  const open = { outside: 'served', withdrawn: 'served', emptied: 'served' } as const;
  assert.equal(
    verdict({ reading: { ...strict, ...open } }),
    'files asks for its roots at its start and again after each change. ' +
      'It reads folders that it was never told of, so its roots are no limit to it.',
  );
});

test('the verdict says what could not be told', () => {
  const unseen = { reading: undefined, called: [] };
  assert.equal(
    verdict({ ...unseen, asksAgain: undefined }),
    'files asks for its roots at its start. ' +
      'Whether it gives up its folders when it is told of none could not be told.',
  );
  assert.equal(
    verdict({ ...unseen, firstAsked: { kind: 'never' } }),
    'files did not ask for its roots, so they do not decide what it can reach.',
  );
});

test('the verdict names each way of asking', () => {
  const first = (findings: Partial<RootsFindings>) => verdict(findings).split('. ')[0];
  assert.equal(
    first({ firstAsked: { kind: 'change' } }),
    'files asks for its roots only when it is told that they changed',
  );
  assert.equal(
    first({ era: 'modern', firstAsked: { kind: 'call', tool: 'read\n' } }),
    'files asks for its roots inside calls, first in one of read\\u000a',
  );
});

test('the verdict on a server of the latest revision that did not ask leads to the older ones', () => {
  const never = { era: 'modern', firstAsked: { kind: 'never' }, reading: undefined } as const;
  const hint =
    'It may ask in an older revision: set "protocol" to "legacy" in its definition, and check it again.';
  assert.equal(
    verdict(never),
    `files did not ask for its roots in the calls that were made. ${hint}`,
  );
  assert.equal(
    verdict({ ...never, called: [] }),
    `files can ask for its roots only inside a call, and has no tool that is sure to change nothing. ${hint}`,
  );
});

test('the details say everything that was seen, and for how long it holds', () => {
  assert.deepEqual(details({ naming: { ...strict, tool: 'list_allowed', emptied: 'served' } }), [
    'It speaks revision 2025-11-25.',
    'It asked for its roots by itself at its start.',
    'It asked again after each change.',
    'Tools called: read_file.',
    'read_file refused a folder that the server was never told of.',
    'read_file read in a folder that was added later.',
    'read_file refused a folder that was withdrawn.',
    'read_file refused every folder after the server was told of none.',
    'list_allowed did not name a folder that the server was never told of.',
    'list_allowed named a folder that was added later.',
    'list_allowed no longer named a folder that was withdrawn.',
    'list_allowed still named a folder after the server was told of none.',
    'It also runs when it is offered no roots at all.',
    'This is what happened this time. It is no promise of what the server does next.',
  ]);
});

test('the details leave out what nothing told, and say why there is no more', () => {
  assert.deepEqual(detailsOf(noFindings('modern', '2026-07-28')).map(inEnglish), [
    'It speaks revision 2026-07-28, in which a server asks only inside calls.',
    'It did not ask for its roots.',
    'No tool was called: none reads by a path and is sure to change nothing.',
    'This is what happened this time. It is no promise of what the server does next.',
  ]);
  const unseen = { outside: 'untold', added: 'untold', withdrawn: 'untold' } as const;
  const cut = details({ reading: { ...strict, ...unseen, emptied: 'untold' }, cutShort: 'ended' });
  assert.deepEqual(cut.slice(3, -1), [
    'Tools called: read_file.',
    'It also runs when it is offered no roots at all.',
    'It ended during the check, so there is more that is not known.',
  ]);
  const late = details({ startsWithoutRoots: false, cutShort: 'time' });
  assert.deepEqual(late.slice(-3, -1), [
    'It does not run when it is offered no roots at all.',
    'The check took too long and was ended, so there is more that is not known.',
  ]);
});

test('where a definition offers no roots, it is said how real use differs from the check', () => {
  const realUse = (...rootsAs: ('roots' | 'args' | 'env')[]) =>
    realUseOf('files', rootsAs).map(inEnglish);
  const differs =
    'This check offered roots. In real use files is not offered any: "rootsAs" in its definition leaves "roots" out.';
  assert.deepEqual([realUse('roots'), realUse('args', 'roots')], [[], []]);
  assert.deepEqual(realUse('args'), [differs, 'It gets its folders as arguments instead.']);
  assert.deepEqual(realUse('env'), [differs, 'It gets its folders in its environment instead.']);
  assert.deepEqual(realUse('env', 'args'), [
    differs,
    'It gets its folders as arguments and in its environment instead.',
  ]);
});

test('what a server reads counts for more than what it names', () => {
  const naming: ToolFindings = { ...strict, emptied: 'served' };
  assert.equal(reachAfter({ ...obedient, naming }, 'emptied'), 'refused');
  assert.equal(reachAfter({ ...obedient, reading: undefined, naming }, 'emptied'), 'served');
  const untold: ToolFindings = { ...strict, emptied: 'untold' };
  assert.equal(reachAfter({ ...obedient, reading: untold, naming }, 'emptied'), 'served');
  assert.equal(reachAfter({ ...obedient, reading: undefined }, 'emptied'), 'untold');
});

test('of several folders, one that is served is enough, and none says nothing', () => {
  assert.equal(widestReach(['refused', 'untold', 'served']), 'served');
  assert.equal(widestReach(['refused', 'untold']), 'untold');
  assert.equal(widestReach(['refused', 'refused']), 'refused');
  assert.equal(widestReach([]), 'untold');
});

test('of a server in a sandbox it is said what that kept, and what was asked for in vain', () => {
  const sandbox = { beyond: 'refused', missed: ['/home/me/.netrc'] } as const;
  assert.match(
    verdict({ reading: { ...strict, outside: 'served' }, sandbox }),
    /so its roots are no limit to it\. Its sandbox is one: it read nothing outside of that\.$/,
  );
  assert.equal(
    verdict({ firstAsked: { kind: 'never' }, reading: undefined, sandbox }),
    'files did not ask for its roots: its sandbox decides what it can reach.',
  );
  assert.deepEqual(details({ sandbox }).slice(-4, -1), [
    'read_file could not read in a folder that its sandbox does not show.',
    'It asked in vain for /home/me/.netrc.',
    'It also runs when it is offered no roots at all.',
  ]);
  assert.match(
    details({ sandbox: { beyond: 'served', missed: [] } }).join('\n'),
    /^WARNING: read_file read in a folder that its sandbox does not show\.\nIt asked for nothing in vain/m,
  );
});

test('whether a server works in a sandbox as without is told by all else that was seen', () => {
  const sandboxed = { ...obedient, sandbox: { beyond: 'refused', missed: ['/a'] } as const };
  const compared = (without: RootsFindings, inside: RootsFindings = sandboxed) =>
    comparisonOf(inside, without).map(inEnglish).join(' ');
  assert.equal(compared(obedient), 'In the sandbox it worked as it does without.');
  assert.equal(
    compared({ ...obedient, asksAgain: false, cutShort: 'time' }),
    'In the sandbox it did not work as it does without. ' +
      'Only in the sandbox: It asked again after each change. ' +
      'Only without it: It did not ask again after each change. ' +
      'The check took too long and was ended, so there is more that is not known.',
  );
  const uncalled = { ...obedient, called: [], reading: undefined };
  assert.equal(
    compared(uncalled, { ...uncalled, sandbox: sandboxed.sandbox }),
    'In the sandbox it started as it does without. No tool was called, so whether it works there is not known.',
  );
});
