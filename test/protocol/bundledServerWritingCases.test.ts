import { deepEqual, equal } from 'node:assert/strict';
import { lstatSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RawSession, type ToolResult, toolCall } from '../support/bundledServer.ts';
import { buildCase, type CaseOnDisk, shareCase } from '../support/caseTree.ts';
import { isSoak } from '../support/effort.ts';
import { type PathCase, pathCases } from '../support/pathCases.ts';
import { share } from '../support/sharing.ts';
import { onlyOn } from '../support/systems.ts';
import { tempFolder } from '../support/temp.ts';
import { treeOf } from '../support/writing.ts';

// The cases that need no race and no hub; pathScopeCases.test.ts names those, and decides all of them.
const all = pathCases().filter(
  ({ id, platform, kind }) =>
    (platform === 'posix' || platform === 'linux') && kind === undefined && id !== 'S29',
);
const cases = all.filter((_, at) => isSoak || at % 4 === 0);

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

describe('every adversarial path, given to every tool that writes, over stdio', {
  skip: onlyOn('linux', 'the cases are moved into a tree with the rules of Linux'),
}, () => {
  test(`${cases.length} of them change nothing outside the roots, and what is refused nothing`, async t => {
    const session = await startSession(t);
    for (const one of cases) {
      for (const attempt of attempts) {
        const ran = await run(t, session, { one, attempt });
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

async function startSession(t: Parameters<typeof tempFolder>[0]): Promise<Session> {
  const session = new RawSession(t, ['--allow-write']);
  await session.initialize();
  await share(session, []);
  return { session, calls: 100 };
}

interface Session {
  readonly session: RawSession;
  calls: number;
}

/** Builds a case anew, and makes one attempt. */
async function run(
  t: Parameters<typeof tempFolder>[0],
  running: Session,
  { one, attempt }: { readonly one: PathCase; readonly attempt: Attempt },
) {
  const top = tempFolder(t);
  const onDisk = buildCase(top, one);
  const roots = foldersOf(onDisk);
  for (const root of roots) {
    writeFileSync(join(root, 'to-be-moved'), 'text');
  }
  await shareCase(running.session, onDisk, one);
  const before = treeOf(top);
  running.calls += 1;
  running.session.send(toolCall(running.calls, attempt.tool, attempt.args(onDisk.input)));
  const { result } = await running.session.answerTo(running.calls);
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

/** The folders that the roots of a case really are; what is none is left out. */
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
