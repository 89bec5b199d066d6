import { deepEqual, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RawSession, type ToolResult, toolCall } from '../support/bundledServer.ts';
import { buildCase, shareCase } from '../support/caseTree.ts';
import { compare, type PathCase, plainCases, type Verdict } from '../support/pathCases.ts';
import { share } from '../support/sharing.ts';
import { onlyOn } from '../support/systems.ts';
import { tempFolder } from '../support/temp.ts';

const cases = plainCases();

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: Schemas; readonly required?: readonly string[] };
}

type Schemas = Readonly<Record<string, { readonly type?: string }>>;

describe('every adversarial path for every reading tool over stdio', {
  skip: onlyOn('linux', 'the cases are moved into a tree with the rules of Linux'),
}, () => {
  test(`${cases.length} cases are decided as they should be`, async t => {
    const { answers, names } = await runAll(t);
    const checked = compare(cases, ({ id }) => {
      const result = answers.get(`${id} check-path`);
      if (result?.isError) {
        return 'error';
      }
      return result?.structuredContent?.['inside'] === true ? 'inside' : 'outside';
    });
    deepEqual(checked.actual, checked.expected);

    // No other tool answers for outside or invalid paths, or takes a path inside for one outside.
    ok(names.length >= 3);
    const [inside, refusable] = [true, false].map(isInside =>
      cases.filter(({ expect }) => (expect === 'inside') === isInside),
    ) as [PathCase[], PathCase[]];
    for (const name of names.filter(other => other !== 'check-path')) {
      const { actual, expected } = compare(refusable, ({ id }) => {
        return verdictOf(answers.get(`${id} ${name}`));
      });
      deepEqual(actual, expected, name);
    }
    const wrong = inside.flatMap(({ id, why }) =>
      names
        .filter(name => verdictOf(answers.get(`${id} ${name}`)) === 'outside')
        .map(name => `${name} ${id}: ${why}`),
    );
    deepEqual(wrong, []);
  });
});

/** Recognized by the message, which is the same for every path outside. */
function verdictOf(result: ToolResult | undefined): Verdict {
  if (result?.isError !== true) {
    return 'inside';
  }
  return outside.test(result.content[0]?.text ?? '') ? 'outside' : 'error';
}

const outside = /^"(?:[^"\\]|\\.)*" is outside /;

/** Gives each case to the tools, in one session; its roots change from case to case. */
async function runAll(t: Parameters<typeof tempFolder>[0]) {
  const session = new RawSession(t);
  await session.initialize();
  const tools = await toolsForPaths(session);
  await share(session, []);
  const answers = new Map<string, ToolResult | undefined>();
  let id = 1000;
  for (const one of cases) {
    const onDisk = buildCase(tempFolder(t), one);
    await shareCase(session, onDisk, one);
    for (const tool of tools) {
      id += 1;
      session.send(toolCall(id, tool.name, argumentsFor(tool, onDisk.input)));
      answers.set(`${one.id} ${tool.name}`, (await session.answerTo(id)).result);
    }
  }
  return { answers, names: tools.map(({ name }) => name) };
}

async function toolsForPaths(session: RawSession): Promise<readonly Tool[]> {
  session.send({ id: 2, method: 'tools/list' });
  const { result } = await session.answerTo(2);
  const tools = result?.['tools'] as readonly Tool[];
  return tools.filter(({ inputSchema }) => inputSchema.properties?.['path']);
}

/** The path under test, and something harmless for whatever else a tool needs. */
function argumentsFor({ inputSchema }: Tool, path: unknown): Record<string, unknown> {
  const others = (inputSchema.required ?? []).filter(name => name !== 'path');
  return { ...Object.fromEntries(others.map(name => [name, 'x'])), path };
}
