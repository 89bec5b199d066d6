import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { HumanError } from '../../../../src/domain/sentence.ts';
import { listTools, searchTools, signatureOf } from '../../../../src/hub/tools/listTools.ts';
import type { Upstream } from '../../../../src/hub/upstreams/upstream.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { said } from '../../../support/texts.ts';

/** The signature of one argument with this schema. */
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

test('the signature of a tool shows the types in lists and objects', () => {
  const list = (items: object) => typeOf({ type: 'array', items });
  const members = '{oldText: string, newText: string, all?: boolean}';
  foundAsExpected({
    object: [typeOf(edit), members],
    'a list of them': [list(edit), `${members}[]`],
    'a list of texts': [list(text), 'string[]'],
    'a list of choices': [list({ enum: ['a', 'b'] }), '("a" | "b")[]'],
    'a list of lists': [list({ type: 'array', items: edit }), 'object[][]'],
    'a member': [typeOf({ type: 'object', properties: { one: edit } }), `{one?: ${members}}`],
    types: [typeOf({ type: ['string', 'null'] }), 'string | null'],
    choices: [typeOf({ enum: ['head', 5] }), '"head" | 5'],
  });
});

test('the signature of a tool works for an incomplete or nonsense schema', () => {
  const odd = [{}, { type: 'array' }, { type: 'object' }, 5, null, { enum: [] }, { type: 7 }];
  deepEqual(odd.map(typeOf), ['any', 'array', 'object', 'any', 'any', 'any', 'any']);
  equal(signatureOf({ serverName: 's', name: 't', inputSchema: [] }), 's › t()');
});

test('the signature of a tool stays a readable line', () => {
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`edits${at}`, edit]));
  const tool = { serverName: 's', name: 't' };
  const nested = signatureOf({ ...tool, inputSchema: { type: 'object', properties: many } });
  match(nested, /^s › t\(edits0\?: object, .* edits11\?: object\)$/);
  const endless = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`name${at}`, text]));
  const cut = signatureOf({ ...tool, inputSchema: { properties: endless } });
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

test('finds texts that contain every word in any letter case', () => {
  foundAsExpected({
    'in any case': [found('READ'), ['log', 'read_file', 'write']],
    'each in another text': [found('files reads'), ['write']],
    'of name and title': [found('git Commits'), ['log']],
    'one of two': [found('read nothing'), []],
    'no word': [found(' \n'), ['log', 'read_file', 'write', 'fetch']],
    'no text': [found('fetch file'), []],
  });
});

test('without a tool, names only the problem of its server', async () => {
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
    const { content } = await listTools(new Map([['files', empty]]), config, {}, signal);
    return content.map(one => said(one.type === 'text' ? one.text : one.type)).join();
  };
  const starting = 'The server "files" is still starting.';
  deepEqual(
    [await listed(async () => {}), await listed(() => Promise.reject(new HumanError(starting)))],
    ['listTools.noTool()', said(starting)],
  );
  deepEqual(waits, [5000, 5000]);
});
