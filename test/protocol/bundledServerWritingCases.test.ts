import { deepEqual, equal } from 'node:assert/strict';
import { lstatSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RawSession, type ToolResult, toolCall } from '../support/bundledServer.ts';
import { buildCase, type CaseOnDisk, shareCase } from '../support/caseTree.ts';
import { isSoak } from '../support/effort.ts';
import { type PathCase, plainCases } from '../support/pathCases.ts';
import { share } from '../support/sharing.ts';
import { onlyOn } from '../support/systems.ts';
import { tempFolder } from '../support/temp.ts';
import { treeOf } from '../support/writing.ts';

const cases = plainCases().filter((_, at) => isSoak || at % 4 === 0);

interface Attempt {
  readonly tool: string;
  /** Whether a link is taken for itself, wherever it leads. */
  readonly isAboutLinks?: boolean;
  /** Whether another path is looked at before, which may be refused itself. */
  readonly isSecond?: boolean;
  args(path: unknown): Record<string, unknown>;
}

const attempts: readonly Attempt[] = [
  { tool: 'write-file', args: path => ({ path, content: 'written' }) },
  { tool: 'edit-file', args: path => ({ path, edits: [{ oldText: 'text', newText: 'edited' }] }) },
  { tool: 'create-directory', args: path => ({ path }) },
  { tool: 'delete-path', isAboutLinks: true, args: path => ({ path, recursive: true }) },
  { tool: 'move-path', isAboutLinks: true, args: path => ({ from: path, to: 'moved-away' }) },
  { tool: 'move-path', isSecond: true, args: path => ({ from: 'to-be-moved', to: path }) },
];

describe('every adversarial path for every writing tool over stdio', {
  skip: onlyOn('linux', 'the cases are moved into a tree with the rules of Linux'),
}, () => {
  test(`${cases.length} paths change nothing outside the roots, and refused paths change nothing`, async t => {
    const session = new RawSession(t, ['--allow-write']);
    await session.initialize();
    await share(session, []);
    let id = 100;
    for (const one of cases) {
      for (const attempt of attempts) {
        const ran = await run(t, session, { one, attempt, id: ++id });
        const { result, before, after, isLink } = ran;
        const what = `${one.id} ${attempt.tool}: ${one.why}`;
        deepEqual(ran.outsideAfter, ran.outsideBefore, what);
        const isOutside =
          result?.content[0]?.text?.includes('is outside the folders shared') === true;
        if (one.expect === 'inside') {
          equal(isOutside, false, what);
        } else if (isLink && attempt.isAboutLinks) {
          // The link is in the root, and it is the link that goes.
          equal(result?.isError, undefined, what);
        } else {
          equal(result?.isError, true, what);
          deepEqual(after, before, what);
          if (!attempt.isSecond) {
            equal(isOutside, one.expect === 'outside', what);
          }
        }
      }
    }
  });
});

/** Builds a case again, and makes one attempt. */
async function run(
  t: Parameters<typeof tempFolder>[0],
  session: RawSession,
  { one, attempt, id }: { readonly one: PathCase; readonly attempt: Attempt; readonly id: number },
) {
  const top = tempFolder(t);
  const onDisk = buildCase(top, one);
  const roots = foldersOf(onDisk);
  for (const root of roots) {
    writeFileSync(join(root, 'to-be-moved'), 'text');
  }
  await shareCase(session, onDisk, one);
  const before = treeOf(top);
  session.send(toolCall(id, attempt.tool, attempt.args(onDisk.input)));
  const { result } = await session.answerTo(id);
  const after = treeOf(top);
  const outside = (tree: typeof before) => withoutFolders(tree, top, roots);
  return {
    result: result as ToolResult | undefined,
    before,
    after,
    outsideBefore: outside(before),
    outsideAfter: outside(after),
    isLink: isLinkItself(one),
  };
}

/** The real folders of the roots of a case; anything else is left out. */
function foldersOf({ roots }: CaseOnDisk): readonly string[] {
  return roots.flatMap(({ uri }) => {
    try {
      const real = realpathSync.native(fileURLToPath(uri));
      return lstatSync(real).isDirectory() ? [real] : [];
    } catch {
      return [];
    }
  });
}

/** Whether the input names a link that the case makes, and nothing behind it. */
function isLinkItself({ input, setup }: PathCase): boolean {
  const named = typeof input === 'string' ? input.replace(/\/+$/, '') : undefined;
  return (setup?.links ?? []).some(([from]) => from === named);
}

function withoutFolders(
  tree: Readonly<Record<string, string>>,
  top: string,
  folders: readonly string[],
): Readonly<Record<string, string>> {
  const isOutside = (name: string) => {
    return !folders.some(folder => `${join(top, name)}/`.startsWith(`${folder}/`));
  };
  return Object.fromEntries(Object.entries(tree).filter(([name]) => isOutside(name)));
}
