import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ExposedResources,
  exposedContents,
  exposedResult,
} from '../../src/server/hub/expose/exposedResources.ts';
import { Offerings } from '../../src/server/hub/expose/offerings.ts';

function running(name: string, lists: Readonly<Record<string, readonly unknown[]>>) {
  const offerings = new Offerings({
    capabilities: { resources: {} },
    forward: () => Promise.resolve({ kind: 'result', result: lists }),
  });
  return { server: { name, fingerprint: '' }, isUp: true, offerings };
}

function exposed() {
  return new ExposedResources(problem => assert.fail(problem));
}

const files = running('files', {
  resources: [{ name: 'A', uri: 'file:///proj/a', size: 1 }],
  resourceTemplates: [{ name: 'Any', uriTemplate: 'file:///{+path}', _meta: {} }],
});
const notes = running('My Notes', {
  resources: [{ name: 'A', uri: 'memo://a' }, { uri: 'b' }],
  resourceTemplates: [],
});

test('the resources of all servers are listed in their order, untouched but for their URIs', async () => {
  assert.deepEqual(await exposed().list([files, notes]), [
    { name: 'A', uri: 'files+file:///proj/a', size: 1 },
    { name: 'A', uri: 'my-notes-14e5f0ce+memo://a' },
    { uri: 'my-notes-14e5f0ce+b' },
  ]);
  assert.deepEqual(await exposed().listTemplates([files, notes]), [
    { name: 'Any', uriTemplate: 'files+file:///{+path}', _meta: {} },
  ]);
});

test('nobody is told of resources of a server that does not run', async () => {
  const resources = exposed();
  await resources.list([files]);
  assert.deepEqual(await resources.list([{ ...files, isUp: false }]), []);
});

test('a URI is found with the server that it is of', async () => {
  const resources = exposed();
  const children = [files, notes];
  const listed = await resources.list(children);
  assert.deepEqual(
    listed.map(({ uri }) => resources.find(children, uri)),
    [
      { child: files, uri: 'file:///proj/a' },
      { child: notes, uri: 'memo://a' },
      { child: notes, uri: 'b' },
    ],
  );
  assert.equal(resources.find(children, 'file:///proj/a'), undefined);
  assert.equal(resources.find([files], listed[1]!.uri), undefined);
});

test('the contents of a read have the URIs that are known upstream, and nothing else is touched', () => {
  const result = {
    contents: [
      { uri: 'file:///proj/a', text: 'file:///proj/a', mimeType: 'text/plain', _meta: {} },
      { uri: 'file:///proj/a/b', blob: '' },
      { uri: 7 },
      null,
      'file:///proj/a',
    ],
    ttlMs: 1,
    _meta: { uri: 'file:///proj/a' },
  };
  assert.deepEqual(exposedContents('files', result), {
    ...result,
    contents: [
      { ...(result.contents[0] as object), uri: 'files+file:///proj/a' },
      { uri: 'files+file:///proj/a/b', blob: '' },
      { uri: 7 },
      null,
      'file:///proj/a',
    ],
  });
  assert.deepEqual(exposedContents('files', { contents: 'none' }), { contents: 'none' });
});

test('the resources that a result links to or holds have the URIs that are known upstream', () => {
  const link = { type: 'resource_link', uri: 'file:///proj/a', name: 'A' };
  const held = { type: 'resource', resource: { uri: 'memo://a', text: 'memo://a' }, _meta: {} };
  const others = [{ type: 'text', text: 'x', uri: 'memo://a' }, { type: 'resource' }, null, 'a'];
  const known = [
    { ...link, uri: 'files+file:///proj/a' },
    { ...held, resource: { uri: 'files+memo://a', text: 'memo://a' } },
    { type: 'text', text: 'x', uri: 'memo://a' },
    { type: 'resource' },
    null,
    'a',
  ];
  const structuredContent = { uri: 'file:///proj/a' };
  assert.deepEqual(
    exposedResult('files', { content: [link, held, ...others], structuredContent }),
    { content: known, structuredContent },
  );
  assert.deepEqual(
    exposedResult('files', {
      description: 'd',
      messages: [{ role: 'user', content: link }, { role: 'user', content: [held] }, 'none'],
    }),
    {
      description: 'd',
      messages: [
        { role: 'user', content: known[0] },
        { role: 'user', content: [known[1]] },
        'none',
      ],
    },
  );
  assert.deepEqual(exposedResult('files', { content: 'none' }), { content: 'none' });
});
