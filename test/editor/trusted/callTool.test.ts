import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';
import { pathBeside } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { node, setServers } from '../support/recorder.ts';
import { shownBy } from '../support/shownDocument.ts';

const program = join(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

/** Replaces functions of the editor until the test is over. */
function replacing(): (target: object, replacements: Readonly<Record<string, unknown>>) => void {
  const undo: (() => void)[] = [];
  afterEach(() => {
    for (const one of undo.splice(0).reverse()) {
      one();
    }
  });
  return (target, replacements) => {
    const originals = Object.keys(replacements).map(key => [key, Reflect.get(target, key)]);
    Object.assign(target, replacements);
    undo.push(() => Object.assign(target, Object.fromEntries(originals)));
  };
}

describe('Call Tool…', () => {
  const person = personForEachTest();
  const replace = replacing();
  const type = (text: string) => replace(vscode.window, { showInputBox: async () => text });

  beforeEach(async () => {
    await setServers({ everything: { command: node, args: [program, 'stdio'] } });
    person().will('everything', 'Choose Folders…', ['api'], 'For This Session');
    await run('startServer');
    // What was answered in the test before holds for the session.
    person().forget();
  });

  /** What the called tool answers. */
  async function answer(...picks: readonly (string | readonly string[])[]): Promise<string> {
    person().will(...picks);
    return (await shownBy(() => run('callTool'))).getText();
  }

  describe('has a person answer what the server asks', () => {
    const tool = 'trigger-elicitation-request';

    it('by a form, which names the server and is shown before it is sent', async () => {
      type('Ada');
      const said = await answer(tool, 'Answer…', '$(edit) Boolean', 'true', '$(check) Send');
      assert.match(said, /- Name: Ada\n- Agreed to terms: true\n- Favorite Integer: 42/);
      await person().sees(/^The server "everything" asks: .* give it no password/);
      const [form] = person().seen.filter(({ text }) => text === 'The server "everything" asks');
      assert.match(form?.detail ?? '', /^\$\(check\) Send\n\$\(edit\) String\n/);
    });

    it('or decline it, at once or in the form', async () => {
      assert.match(await answer(tool, 'Decline'), /declined/);
      type('Ada');
      assert.match(await answer(tool, 'Answer…', '$(circle-slash) Decline'), /declined/);
    });

    it('or leave it, which cancels', async () => {
      assert.match(await answer(tool), /cancelled/);
    });

    it('in the browser, after a look at where that leads', async () => {
      const opened: unknown[] = [];
      replace(vscode.env, {
        openExternal: async (url: unknown) => {
          opened.push(url);
          return true;
        },
      });
      type('https://example.com/a?b=%26');
      const page = ['Show Link…', 'Open in Browser'] as const;
      const said = await answer('trigger-url-elicitation', [], ...page);
      assert.match(said, /completed the URL elicitation/);
      const { detail } = await person().sees(/^Open a page of example\.com in your browser\?$/);
      assert.match(detail, /https:\/\/example\.com\/a\?b=%26/);

      const again = await answer(
        'trigger-url-elicitation',
        ['errorPath'],
        'true',
        ...page,
        'Call Again',
        ...page,
      );
      assert.match(again, /completed the URL elicitation/);
      assert.deepEqual(opened, [
        'https://example.com/a?b=%26',
        'https://modelcontextprotocol.io/',
        'https://example.com/a?b=%26',
      ]);
    });
  });

  describe('during a call that takes long', () => {
    const tool = 'trigger-long-running-operation';
    const cancellation = () => new vscode.CancellationTokenSource();

    it('shows how far it is', async () => {
      const steps: unknown[] = [];
      const progress = { report: (step: unknown) => steps.push(step) };
      replace(vscode.window, {
        withProgress: (_: unknown, task: (...args: unknown[]) => unknown) =>
          task(progress, cancellation().token),
      });
      type('3');
      assert.match(await answer(tool, ['duration', 'steps']), /completed/);
      // The last step may come with the answer.
      assert.deepEqual(steps.slice(0, 2), [
        { message: '33 %', increment: 33 },
        { message: '67 %', increment: 34 },
      ]);
    });

    it('is cancelled there, and shows nothing then', async () => {
      const source = cancellation();
      replace(vscode.window, {
        withProgress: (_: unknown, task: (...args: unknown[]) => unknown) => {
          const working = task({ report: () => {} }, source.token);
          source.cancel();
          return working;
        },
      });
      type('600');
      person().will(tool, ['duration']);
      const before = vscode.window.activeTextEditor?.document;
      await run('callTool');
      assert.equal(vscode.window.activeTextEditor?.document, before);
      assert.doesNotMatch(person().seen.at(-1)?.text ?? '', /failed|did not work/);
    });
  });

  it('shows a resource as it is', async () => {
    const file = join(program, '..', 'docs', 'features.md');
    assert.equal(await answer('features.md'), readFileSync(file, 'utf8'));
    assert.equal(vscode.window.activeTextEditor?.document.languageId, 'markdown');
  });

  it('saves a resource that is no text, whose template it has filled in, and opens it', async () => {
    const target = vscode.Uri.file(pathBeside('blob.bin'));
    replace(vscode.window, {
      showSaveDialog: async () => target,
      createQuickPick: () => typing('1'),
    });
    person().will('Dynamic Blob Resource');
    await run('callTool');
    await eventually(() => assert.match(readFileSync(target.fsPath, 'utf8'), /^Resource 1/));
  });

  it('shows the messages of a prompt, with the arguments that its server proposes', async () => {
    const text = await answer('completable-prompt', ['Engineering'], ['Alice']);
    assert.match(text, /^## user\n\nPlease promote Alice to the head of the Engineering team\./);
  });
});

/** A list in which a text is typed, and taken. */
function typing(text: string) {
  const changed = new vscode.EventEmitter<string>();
  const accepted = new vscode.EventEmitter<void>();
  const pick = {
    value: '',
    items: [] as readonly object[],
    selectedItems: [] as readonly object[],
    onDidChangeValue: changed.event,
    onDidAccept: accepted.event,
    onDidHide: new vscode.EventEmitter<void>().event,
    show: () => {
      pick.value = text;
      changed.fire(text);
      pick.selectedItems = pick.items.slice(0, 1);
      accepted.fire();
    },
    dispose: () => {},
  };
  return pick;
}
