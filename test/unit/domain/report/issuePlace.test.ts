import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { issuePlace } from '../../../../src/domain/report/issuePlace.ts';

const desktop = { hasForm: true, isWeb: false, hasWebForm: false };
const url = 'https://github.com/owner/mcp-roots/issues';
const github = { bugs: { url }, repository: { url: 'https://github.com/owner/mcp-roots' } };
const elsewhere = 'https://codeberg.org/owner/mcp-roots/issues';

describe('an issue is reported', () => {
  test('by the form of the editor where that can send it on', () => {
    deepEqual(issuePlace(github, desktop), { kind: 'form' });
    deepEqual(issuePlace({ repository: github.repository }, desktop), { kind: 'form' });
    deepEqual(issuePlace(github, { ...desktop, isWeb: true, hasWebForm: true }), { kind: 'form' });
  });

  test('on a page where it can’t', () => {
    const page = { kind: 'page', url };
    deepEqual(issuePlace(github, { ...desktop, isWeb: true }), page);
    deepEqual(issuePlace(github, { ...desktop, hasForm: false }), page);
    deepEqual(issuePlace({ bugs: { url: elsewhere } }, desktop), { kind: 'page', url: elsewhere });
  });

  test('nowhere as long as nobody has said where', () => {
    deepEqual(issuePlace({}, desktop), { kind: 'nowhere' });
    deepEqual(issuePlace({ bugs: { url: 'file:///etc/passwd' } }, desktop), { kind: 'nowhere' });
  });
});
