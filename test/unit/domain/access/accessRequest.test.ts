import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAccessRequest } from '../../../../src/domain/access/accessRequest.ts';

describe('what the page with the table asks for', () => {
  it('is read when it is a request, and nothing else with it', () => {
    const set = { kind: 'set', viewer: 'files', folder: 'file:///a', isAllowed: true };
    const copy = { kind: 'copy', text: 'a\tb\n' };
    assert.deepEqual(
      [
        { ...set, more: 1 },
        { ...set, isReadOnly: false },
        { ...copy, command: 'x' },
      ].map(readAccessRequest),
      [set, { ...set, isReadOnly: false }, copy],
    );
  });

  it('is none when it is anything else', () => {
    const set = { kind: 'set', viewer: 'files', folder: 'file:///a', isAllowed: true };
    const others = [
      undefined,
      null,
      'set',
      [],
      {},
      { kind: 'loaded' },
      { kind: 'run', command: 'x' },
      { ...set, viewer: 1 },
      { ...set, folder: undefined },
      { ...set, isAllowed: 'yes' },
      { ...set, isReadOnly: 1 },
      { kind: 'copy' },
      { kind: 'copy', text: 1 },
    ];
    assert.deepEqual(
      others.filter(other => readAccessRequest(other) !== undefined),
      [],
    );
  });
});
