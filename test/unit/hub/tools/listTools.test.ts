import assert, { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { HumanError } from '../../../../src/domain/sentence.ts';
import { listTools, searchTools, signatureOf } from '../../../../src/hub/tools/listTools.ts';
import type { Upstream } from '../../../../src/hub/upstreams/upstream.ts';

/** What the signature says of one argument with this schema. */
function typeOf(schema: unknown): string {
  const inputSchema = { type: 'object', properties: { it: schema }, required: ['it'] };
  return /\(it: (.*)\)$/.exec(signatureOf({ serverName: 's', name: 't', inputSchema }))?.[1] ?? '';
}

const text = { type: 'string' };
const edit = {
  type: 'object',
  properties: { oldText: text, newText: text, all: { type: 'boolean' } },
  required: ['oldText', 'newText'],
};

test('the signature of a tool shows what its lists and objects hold', () => {
  deepEqual(
    [
      { type: 'array', items: edit },
      edit,
      { type: 'array', items: text },
      { type: 'array', items: { enum: ['a', 'b'] } },
      { type: 'array', items: { type: 'array', items: edit } },
      { type: 'object', properties: { one: edit } },
      { type: ['string', 'null'] },
      { enum: ['head', 5] },
    ].map(typeOf),
    [
      '{oldText: string, newText: string, all?: boolean}[]',
      '{oldText: string, newText: string, all?: boolean}',
      'string[]',
      '("a" | "b")[]',
      'object[][]',
      '{one?: {oldText: string, newText: string, all?: boolean}}',
      'string | null',
      '"head" | 5',
    ],
  );
});

test('the signature of a tool makes do with a schema that says little, or nonsense', () => {
  const odd = [{}, { type: 'array' }, { type: 'object' }, 5, null, { enum: [] }, { type: 7 }];
  deepEqual(odd.map(typeOf), ['any', 'array', 'object', 'any', 'any', 'any', 'any']);
  equal(signatureOf({ serverName: 's', name: 't', inputSchema: [] }), 's › t()');
});

test('the signature of a tool stays a line that is read', () => {
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`edits${at}`, edit]));
  const nested = signatureOf({
    serverName: 's',
    name: 't',
    inputSchema: { type: 'object', properties: many },
  });
  match(nested, /^s › t\(edits0\?: object, .* edits11\?: object\)$/);
  const endless = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`name${at}`, text]));
  const cut = signatureOf({ serverName: 's', name: 't', inputSchema: { properties: endless } });
  ok(cut.length < 320 && cut.endsWith('…)'), cut);
});

const tools = [
  { serverName: 'git', name: 'log', title: 'Show commits', description: 'Reads the history.' },
  { serverName: 'files', name: 'read_file', description: 'Text of one file.' },
  { serverName: 'files', name: 'write', description: 'Writes what read_file reads.' },
  { serverName: 'web', name: 'fetch', title: 7, description: ['file'] },
];

function found(query: string): string[] {
  return searchTools(tools, query).map(({ name }) => name);
}

test('every word has to occur somewhere, in any case', () => {
  assert.deepEqual(found('READ'), ['log', 'read_file', 'write']);
  assert.deepEqual(found('files reads'), ['write']);
  assert.deepEqual(found('git Commits'), ['log']);
  assert.deepEqual(found('read nothing'), []);
});

test('a query without words finds all', () => {
  assert.deepEqual(found(' \n'), ['log', 'read_file', 'write', 'fetch']);
});

test('what is no text is not searched', () => {
  assert.deepEqual(found('fetch file'), []);
});

test('without a tool, what keeps its server is all that is said', async () => {
  const offerings = { tools: async () => [], toolsRemark: undefined };
  const config = { leftOut: [], switchedOff: [], whyLeftOut: () => '' };
  const waits: unknown[] = [];
  const listed = async (started: () => Promise<void>) => {
    const comeUp = (_signal: AbortSignal, longest: number) => {
      waits.push(longest);
      return started();
    };
    const server = { name: 'files' };
    const empty = { server, offerings, ruleProblems: [], comeUp } as unknown as Upstream;
    const { signal } = new AbortController();
    return (await listTools(new Map([['files', empty]]), config, {}, signal)).content;
  };
  const starting = 'The server "files" is still starting. Ask again in a moment.';
  deepEqual(
    [await listed(async () => {}), await listed(() => Promise.reject(new HumanError(starting)))],
    [[{ type: 'text', text: 'No tool is known.' }], [{ type: 'text', text: starting }]],
  );
  deepEqual(waits, [5000, 5000]);
});
