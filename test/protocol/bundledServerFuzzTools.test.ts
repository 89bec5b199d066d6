import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyArguments, anyText, type Schema } from '../support/anyArguments.ts';
import type { Message } from '../support/bundledServer.ts';
import { effort } from '../support/effort.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { eras, Wire } from '../support/wire.ts';
import { treeOf } from '../support/writing.ts';

interface Tool {
  readonly name: string;
  readonly inputSchema: Schema;
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

interface Call {
  readonly name: string;
  readonly args: unknown;
}

/** The server's example of a correct URI. */
const example = 'file:///folder/name';

const files = {
  'one.txt': 'One line.\nAnd one more: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\n',
  'src/two words.ts': 'export const two = 2;\n',
  'src/deep/three.bin': '\0\x01\x02',
  'empty/': '',
  'größe 日本 😀.md': '# ☂\n',
};

for (const era of eras) {
  test(`gives a useful answer to any arguments of a tool (${era})`, async t => {
    const base = tempFolder(t);
    const [root, outside] = [join(base, 'root'), join(base, 'outside')];
    mkdirSync(root);
    writeTree(outside, { 'secret.txt': 'hidden\n', 'folder/': '' });
    const before = treeOf(outside);
    const wire = await new Wire(t, era, ['--root', root, '--allow-write']).open();
    const tools = await toolsOf(wire);
    const names = [...Object.keys(files), root, outside, join(outside, 'secret.txt'), '../outside'];
    const text = anyText(names);
    const call = fc.oneof(...tools.map(tool => anyCall(tool, text, base)));
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 20 }), async calls => {
        refill(root);
        const asked = calls.map(({ name, args }) =>
          wire.ask('tools/call', { name, arguments: args }),
        );
        const answers = await Promise.all(asked);
        for (const [index, answer] of answers.entries()) {
          assertUseful(answer, calls[index]!, root);
        }
      }),
      { numRuns: 10 * effort },
    );
    assert.deepEqual(treeOf(outside), before);
    assert.equal((await toolsOf(wire)).length, tools.length);
    assert.doesNotMatch(wire.stderr, /\[error\]|\n {4}at /);
  });
}

function anyCall(tool: Tool, text: fc.Arbitrary<string>, base: string): fc.Arbitrary<Call> {
  const { name, inputSchema, annotations } = tool;
  const isSafe = (args: unknown) => annotations?.readOnlyHint === true || staysIn(base, args);
  // As long as a tool that writes may be wrong, it gets no path of this machine.
  return anyArguments(inputSchema, text)
    .filter(isSafe)
    .map(args => ({ name, args }));
}

/** Changes by earlier tools must not affect the next ones. */
function refill(root: string): void {
  for (const name of readdirSync(root)) {
    rmSync(join(root, name), { recursive: true });
  }
  writeTree(root, files);
}

async function toolsOf(wire: Wire): Promise<readonly Tool[]> {
  const { result } = await wire.ask('tools/list');
  return result?.['tools'] as unknown as Tool[];
}

function staysIn(base: string, args: unknown): boolean {
  return textsIn(args).every(text => {
    const isUri = /^\s*file:/i.test(text);
    return !isUri && `${resolve(base, 'root', text)}${sep}`.startsWith(`${base}${sep}`);
  });
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).flatMap(textsIn);
  }
  return typeof value === 'string' ? [value] : [];
}

function assertUseful({ result, error }: Message, { name, args }: Call, root: string): void {
  const sent = `${name} ${JSON.stringify(args)}`;
  const isFailure = error !== undefined || result?.isError === true;
  const said = error?.message ?? result?.content.map(({ text }) => text ?? '').join('\n') ?? '';
  const context = `${sent.slice(0, 500)}\nanswered: ${JSON.stringify(error ?? result).slice(0, 1000)}`;
  if (!isFailure) {
    assert.ok(result?.structuredContent, context);
    assert.ok(result.content.length > 0, context);
    return;
  }
  assert.match(said, /^["A-Z].{10}/s, context);
  assert.ok(said.length < 5000, context);
  assert.doesNotMatch(
    said,
    /\[object |\n {4}at |undefined is|of undefined|not a function|Maximum call|E[A-Z]{4,}:|ERR_/,
    context,
  );
  for (const path of said.replace(example, '').match(/(?<![\w.:])(?:\/[\w.-]+){2,}/g) ?? []) {
    const isSent = path.split('/').every(name => sent.includes(name));
    assert.ok(isSent || path.startsWith(root), `${path} was not in\n${context}`);
  }
}
