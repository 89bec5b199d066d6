import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exposedUri, resolveExposedUri } from '../../src/domain/hub/exposedUris.ts';

const server = fc.oneof(
  fc.stringMatching(/^[a-z][a-z0-9.-]{0,10}$/),
  fc.stringMatching(/^[A-Za-z0-9+ _.-]{1,40}$/),
  fc.string({ unit: 'binary', maxLength: 50 }),
);
const uri = fc.oneof(
  fc.webUrl(),
  fc.constantFrom('file:///a+b', 'git+ssh://a', '{+path}'),
  fc.string(),
);

test('the URI of a resource begins with its server', () => {
  assert.equal(exposedUri('files', 'file:///proj/a.md'), 'files+file:///proj/a.md');
  assert.equal(exposedUri('files', 'file:///{+path}'), 'files+file:///{+path}');
});

test('a server whose name can begin no scheme has a hash', () => {
  assert.deepEqual(
    ['My Server', '2nd', 'a+b', 'a-0123abcd', '', 'a'.repeat(33)].map(name =>
      exposedUri(name, 'x:y'),
    ),
    [
      'my-server-ac59d5e6+x:y',
      's2nd-5d35fcc8+x:y',
      'a-b-060b32c6+x:y',
      'a-0123abcd-b769d556+x:y',
      's-439083f3+x:y',
      'aaaaaaaaaaaaaaaaaaaaaaa-7d9b3d3a+x:y',
    ],
  );
});

test('a URI leads back to its server and what that calls it, whatever other servers there are', () => {
  const servers = fc.uniqueArray(server, { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(servers, uri, (names, original) => {
      for (const name of names) {
        const exposed = exposedUri(name, original);
        assert.match(exposed, /^[a-z][a-z0-9.-]{0,31}\+/);
        assert.deepEqual(resolveExposedUri(exposed, names), { server: name, uri: original });
      }
    }),
    { numRuns: 1000 },
  );
});

test('a client may write the scheme in any case', () => {
  assert.deepEqual(resolveExposedUri('FILES+FILE:///A', ['files']), {
    server: 'files',
    uri: 'FILE:///A',
  });
  const { href } = new URL(exposedUri('My Server', 'memo://Notes/A'));
  assert.deepEqual(resolveExposedUri(href, ['My Server']), {
    server: 'My Server',
    uri: 'memo://Notes/A',
  });
});

test('the URI of another is none of theirs', () => {
  for (const other of [
    '',
    '+',
    'file:///files+a',
    'git+ssh://a',
    'files:+a',
    '+file:///a',
    'files',
  ]) {
    assert.equal(resolveExposedUri(other, ['files', 'other']), undefined, other);
  }
});
