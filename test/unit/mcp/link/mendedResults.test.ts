import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { mended, mendedResult, mendedTool } from '../../../../src/mcp/link/mendedResults.ts';
import { foundAsExpected } from '../../../support/cases.ts';

const plain = { type: 'object' };
test('mends the input schema of a tool to one of an object', () => {
  const found = (inputSchema: unknown) =>
    mended('Tool', mendedTool({ name: 'a', inputSchema }))?.['inputSchema'];
  const odd = [{}, null, true, [], { type: ['object', 'null'] }];
  const ref = { $ref: '#/$defs/x', $defs: { x: {} } };
  const c = { type: 'string' };
  foundAsExpected({
    'no schema of an object': [odd.map(found), odd.map(() => plain)],
    'a reference': [found(ref), { ...plain, ...ref }],
    'odd members': [found({ ...plain, properties: [], required: null }), plain],
    'odd properties': [
      found({ ...plain, properties: { a: true, b: 'text', c }, required: ['a', 1] }),
      { ...plain, properties: { a: {}, b: {}, c }, required: ['a'] },
    ],
    // No tool can have it.
    'of a text': [found({ type: 'string' }), undefined],
  });
});

test('leaves out members with a form outside the protocol', () => {
  const entry = {
    name: 'a',
    title: null,
    description: 5,
    annotations: { audience: ['user', 'all'], priority: 2 },
    icons: [{ src: 'data:', sizes: null }, {}, null],
    _meta: null,
    unheardOf: null,
  };
  const icons = [{ src: 'data:' }];
  const prompt = { ...entry, arguments: [{ name: 'x', required: 1 }, { description: 'y' }] };
  const tool = {
    ...entry,
    annotations: { title: 'b', readOnlyHint: 'yes', idempotentHint: null },
    outputSchema: null,
  };
  const annotations = { audience: ['user'] };
  const resource = { name: 'a', unheardOf: null, uri: 'b:', annotations, icons };
  deepEqual(mended('Resource', { ...entry, uri: 'b:' }), resource);
  deepEqual(mended('Prompt', prompt)?.['arguments'], [{ name: 'x' }]);
  deepEqual(mended('Tool', mendedTool(tool)), {
    name: 'a',
    unheardOf: null,
    icons,
    annotations: { title: 'b' },
    inputSchema: plain,
  });
  deepEqual(mended('Prompt', { name: 'a', icons: null, arguments: null }), { name: 'a' });
  deepEqual(mended('Prompt', { name: 5 }), undefined);
  deepEqual(mended('Prompt', null), undefined);
});

const said = (text: string) => ({ type: 'text', text });
const asJson = (value: unknown) => said(JSON.stringify(value));
const video = { type: 'video', data: 'AAAA', mimeType: 'video/mp4' };
const bare = { type: 'image', data: '?', mimeType: 'image/png' };
const png = { type: 'image', data: 'AA==', mimeType: 'image/png' };
const file = { type: 'resource', resource: { uri: 'file:///a', text: 'a' } };
const link = { type: 'resource_link', uri: 'a:b' };

test('keeps the other contents when one has another form', () => {
  const found = (content: unknown) =>
    mendedResult('tools/call', { content, isError: null })['content'];
  const odd = [{ type: 'text' }, { type: 'text', text: null }, { type: 'resource', resource: {} }];
  const sound = { type: 'audio', data: 'A+/A', mimeType: 'application/octet-stream' };
  const padded = { ...file, resource: { ...file.resource, blob: null, mimeType: null } };
  foundAsExpected({
    missing: [found(undefined), []],
    null: [found(null), []],
    text: [found('a'), [said('a')]],
    'no list': [found(said('a')), [said('a')]],
    'members that are null': [
      found([{ ...said('a'), annotations: null, _meta: null }]),
      [said('a')],
    ],
    'of another type': [found([said('a'), video]), [said('a'), asJson(video)]],
    'without what it says': [found(odd), odd.map(asJson)],
    'a picture in a URL': [found([{ type: 'image', data: 'data:image/png;base64,AA' }]), [png]],
    'a picture that is none': [found([bare, png]), [asJson(bare), png]],
    'a sound in another alphabet': [found([{ type: 'audio', data: 'A-_\nA' }]), [sound]],
    'a resource': [found([padded]), [file]],
    'a link without a name': [found([link]), [{ ...link, name: 'a:b' }]],
  });
});

test('mends results by method, and leaves questions unchanged', () => {
  const structuredContent = { a: 1 };
  const question = { resultType: 'input_required' };
  const messages = [{ content: ['a', said('b')] }, { role: 'system', content: said('c') }];
  deepEqual(mendedResult('tools/call', { structuredContent }), { content: [], structuredContent });
  deepEqual(mendedResult('tools/call', { structuredContent: null }), { content: [] });
  deepEqual(mendedResult('tools/call', question), question);
  deepEqual(mendedResult('ping', { content: null }), { content: null });
  deepEqual(mendedResult('prompts/get', { description: null, messages }), {
    messages: [
      { role: 'user', content: said('a') },
      { role: 'user', content: said('b') },
      { role: 'system', content: said('c') },
    ],
  });
  deepEqual(mendedResult('resources/read', { contents: { text: 'a', blob: null } }), {
    contents: [{ uri: '', text: 'a' }],
  });
});
