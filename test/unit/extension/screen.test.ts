import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';
import { seenFor, shown } from '../../../src/domain/shown.ts';
import { type Button, Screen } from '../../../src/extension/screen.ts';
import { said as keyOf } from '../../support/texts.ts';
import { TurnedClock } from '../../support/turnedClock.ts';
import { turnsOfTheLoop } from '../../support/turns.ts';

const [yes, no] = [
  { title: shown('Yes'), follow: () => 'Yes' },
  { title: shown('No'), follow: () => 'No' },
] as const;

/** An editor with screen, window and clock under the test's control. */
function anEditor() {
  const said: string[] = [];
  const clicks = new Map<string, (title?: string) => void>();
  const didChangeState = new Emitter<void>();
  const clock = new TurnedClock();
  const show =
    (kind: string) =>
    (text: string, { modal }: { modal: boolean }, ...buttons: readonly Button<unknown>[]) => {
      const usual = modal ? 'warning' : 'information';
      said.push(kind === usual ? text : `${kind}: ${text}`);
      clicks.get(text)?.(); // The editor closes a message when an equal one comes.
      return new Promise<Button<unknown> | undefined>(resolve =>
        clicks.set(text, title => resolve(buttons.find(button => button.title === title))),
      );
    };
  const window = {
    showInformationMessage: show('information'),
    showWarningMessage: show('warning'),
    showErrorMessage: show('error'),
    state: { focused: true },
    onDidChangeWindowState: didChangeState.event,
  };
  const editor = { window, l10n: { t: (text: string) => text } };
  const screen = new Screen(
    editor as unknown as ConstructorParameters<typeof Screen>[0],
    clock.after,
  );
  const pass = async (milliseconds: number) => {
    await turnsOfTheLoop();
    clock.pass(milliseconds);
    await turnsOfTheLoop();
  };
  return {
    said,
    screen,
    pass,
    /** Clicks a button of a message at once, or closes it. */
    async clickAtOnce(text: string, title?: string) {
      await turnsOfTheLoop();
      clicks.get(text)?.(title);
      await turnsOfTheLoop();
    },
    /** Reads a message, then clicks a button of it, or closes it. A second goes by after that. */
    async click(text: string, title?: string) {
      await pass(seenFor);
      clicks.get(text)?.(title);
      await pass(seenFor);
    },
    focus(focused: boolean) {
      window.state.focused = focused;
      didChangeState.fire();
    },
    /** As long goes by as the editor shows a message at most. */
    hide: () => pass(17_000),
    ask: (text: string, more: object = {}) =>
      screen.show(() => ({ text: shown(text), buttons: [yes, no], ...more })),
  };
}

test('shows one message at a time, and the next after a click', async () => {
  const { said, screen, click, ask } = anEditor();
  let end = (_: string) => {};
  const follow = () => new Promise<string>(resolve => (end = resolve));
  const first = screen.show(() => ({ text: shown('one'), buttons: [{ ...yes, follow }] }));
  const second = ask('two');
  await turnsOfTheLoop();
  deepEqual(said, ['one']);
  await click('one', 'Yes');
  deepEqual(said, ['one', 'two']);
  await click('two', 'No');
  equal(await second, 'No');
  end('done');
  equal(await first, 'done');
});

test('shows a dialog that follows from a message before the next message', async () => {
  const { said, screen, click, ask } = anEditor();
  const follow = () => screen.ask({ text: shown('dialog'), buttons: [yes] });
  const first = screen.show(() => ({ text: shown('one'), buttons: [{ ...yes, follow }] }));
  const second = ask('two');
  await click('one', 'Yes');
  deepEqual(said, ['one', 'dialog']);
  await click('dialog', 'Yes');
  equal(await first, 'Yes');
  await click('two');
  equal(await second, undefined);
});

test('composes or skips a message when its turn comes', async () => {
  const { said, screen, click, ask } = anEditor();
  const first = ask('one');
  let folders = 'two folders';
  const skipped = screen.show(() => undefined);
  const third = screen.show(() => ({ text: shown(folders), buttons: [yes] }));
  folders = 'one folder';
  await click('one');
  deepEqual([await first, await skipped], [undefined, undefined]);
  await turnsOfTheLoop();
  deepEqual(said, ['one', 'one folder']);
  await click('one folder', 'Yes');
  equal(await third, 'Yes');
});

test('makes room for the next when a message or error is hidden, which can still be answered', async () => {
  const { said, screen, click, ask, hide } = anEditor();
  screen.tell(shown('zero'), 'error');
  const first = ask('one');
  const second = ask('two');
  await hide();
  deepEqual(said, ['error: zero', 'one']);
  await hide();
  deepEqual(said, ['error: zero', 'one', 'two']);
  await click('one', 'Yes');
  equal(await first, 'Yes');
  await click('two', 'No');
  equal(await second, 'No');
});

test('hides nothing while the window is in the background', async () => {
  const { said, click, ask, focus, hide } = anEditor();
  const all = [ask('one'), ask('two', { kind: 'warning' }), ask('three')];
  focus(false);
  await hide();
  deepEqual(said, ['one']);
  focus(true);
  await hide();
  deepEqual(said, ['one', 'warning: two']);
  await click('two');
  deepEqual(said, ['one', 'warning: two', 'three']);
  await click('one');
  await click('three');
  deepEqual(await Promise.all(all), [undefined, undefined, undefined]);
});

for (const kind of ['message', 'dialog'] as const) {
  test(`refuses a late answer to a ${kind} with a message`, async () => {
    const { said, screen, click } = anEditor();
    let isOpen = true;
    const question = { text: shown('one'), buttons: [yes], isOpen: () => isOpen };
    const asked = kind === 'dialog' ? screen.ask(question) : screen.show(() => question);
    await turnsOfTheLoop();
    isOpen = false;
    await click('one', 'Yes');
    equal(await asked, undefined);
    await turnsOfTheLoop();
    deepEqual(said.slice(1).map(keyOf), ['screen.Screen()']);
  });
}

test('shows a dialog at once, and makes messages wait for the last dialog', async () => {
  const { said, screen, click, ask } = anEditor();
  const first = ask('one');
  const second = ask('two');
  await turnsOfTheLoop();
  const dialog = screen.ask({ text: shown('dialog'), buttons: [yes, no] });
  const other = screen.ask({ text: shown('other'), buttons: [yes, no] });
  await click('one', 'Yes');
  await first;
  await click('dialog', 'No');
  equal(await dialog, 'No');
  await turnsOfTheLoop();
  deepEqual(said, ['one', 'dialog', 'other']);
  await click('other');
  equal(await other, undefined);
  await turnsOfTheLoop();
  deepEqual(said, ['one', 'dialog', 'other', 'two']);
  await click('two', 'Yes');
  equal(await second, 'Yes');
});

test('shows the next message after one that fails', async () => {
  const { said, screen, click, ask } = anEditor();
  const failing = rejects(
    screen.show(() => Promise.reject(new Error('No.'))),
    /No\./,
  );
  const second = ask('two');
  await failing;
  await turnsOfTheLoop();
  deepEqual(said, ['two']);
  await click('two', 'Yes');
  equal(await second, 'Yes');
});

test('shows an awaited hidden message again after the others', async () => {
  const { said, click, ask, hide } = anEditor();
  const first = ask('one', { isAwaited: () => true });
  const second = ask('two');
  await hide();
  deepEqual(said, ['one', 'two']);
  await click('two', 'No');
  await second;
  await hide();
  deepEqual(said, ['one', 'two', 'one', 'one']);
  await click('one', 'Yes');
  equal(await first, 'Yes');
});

test('takes an answer to an awaited hidden message before it comes again', async () => {
  const { click, ask, hide } = anEditor();
  const first = ask('one', { isAwaited: () => true });
  const second = ask('two');
  await hide();
  await click('one', 'Yes');
  equal(await first, 'Yes');
  await click('two', 'No');
  equal(await second, 'No');
});

test('ends an awaited message when it is closed, or hidden and no longer awaited', async () => {
  const { said, screen, click, ask, hide } = anEditor();
  const closed = ask('one', { isAwaited: () => true });
  await hide();
  await click('one');
  equal(await closed, undefined);

  let isAwaited = true;
  const clicked: string[] = [];
  const follow = () => void clicked.push('Yes');
  const left = screen.show(() => ({
    text: shown('two'),
    buttons: [{ ...yes, follow }],
    isAwaited: () => isAwaited,
  }));
  await turnsOfTheLoop();
  isAwaited = false;
  await hide();
  equal(await left, undefined);
  deepEqual(said, ['one', 'one', 'two']);
  await click('two', 'Yes');
  deepEqual(clicked, ['Yes']);
});

test('ignores both halves of a double click on a new message', async () => {
  const { said, click, clickAtOnce, pass, ask } = anEditor();
  const first = ask('one');
  const second = ask('two');
  await pass(seenFor);
  await clickAtOnce('one', 'Yes');
  equal(await first, 'Yes');
  await pass(seenFor - 1);
  deepEqual(said, ['one']);
  await pass(1);
  await pass(seenFor - 1);
  await clickAtOnce('two', 'Yes');
  await pass(seenFor - 1);
  await clickAtOnce('two', 'Yes');
  deepEqual(said, ['one', 'two', 'two', 'two'], 'It is put again each time.');
  await click('two', 'No');
  equal(await second, 'No');
});

test('takes a click on an unread dialog only as the way out', async () => {
  const { said, screen, click, clickAtOnce } = anEditor();
  const dialog = (text: string) =>
    screen.ask({ text: shown(text), buttons: [yes], wayOut: shown('Not Now') });
  const both = [dialog('one'), dialog('two')];
  await clickAtOnce('one', 'Yes');
  deepEqual(said, ['one', 'one']);
  await click('one', 'Yes');
  deepEqual(said, ['one', 'one', 'two'], 'a second for each');
  const left = dialog('three');
  await clickAtOnce('two', 'Not Now');
  await clickAtOnce('three', 'Not Now');
  deepEqual(await Promise.all([...both, left]), ['Yes', undefined, undefined]);
});

test('takes a confirmation only after the dialog before it, and after time to read', async () => {
  const { said, screen, click, clickAtOnce, pass } = anEditor();
  const first = screen.ask({ text: shown('one'), buttons: [yes] });
  const sure = (text: string) => screen.confirm(shown(text), shown('detail'), shown('Remove'));
  const [both, left] = [sure('two'), sure('three')];
  await pass(60_000);
  deepEqual(said, ['one'], 'the second begins when it is there');
  await clickAtOnce('one', 'Yes');
  equal(await first, 'Yes');
  await pass(seenFor - 1);
  await clickAtOnce('two', 'Remove');
  deepEqual(said, ['one', 'two', 'two']);
  await click('two', 'Remove');
  await click('three');
  deepEqual([await both, await left], [true, false]);
});

test('counts a message and a dialog as seen without the focus', async () => {
  const { said, screen, clickAtOnce, pass, focus, ask } = anEditor();
  focus(false);
  const both = [ask('one'), screen.ask({ text: shown('two'), buttons: [yes] })];
  for (const text of ['two', 'one']) {
    await pass(2 * seenFor);
    await clickAtOnce(text, 'Yes');
  }
  deepEqual(await Promise.all(both), ['Yes', 'Yes']);
  deepEqual(said, ['one', 'two'], 'None is put again.');
});

test('closes the question after an answer before a message could be read', async () => {
  const { said, pass, clickAtOnce, ask } = anEditor();
  let isOpen = true;
  const closed = ask('one');
  await clickAtOnce('one');
  equal(await closed, undefined);
  await pass(seenFor);
  const late = ask('two', { isOpen: () => isOpen });
  await turnsOfTheLoop();
  isOpen = false;
  await clickAtOnce('two', 'Yes');
  equal(await late, undefined);
  deepEqual(said.slice(0, 2), ['one', 'two']);
});

test('replaces an awaited message when there is more to say, after time to read', async () => {
  const { said, screen, click, pass } = anEditor();
  const names = ['one'];
  const asked = screen.show(() => {
    const text = shown(names.join());
    const isOutdated = () => text !== names.join();
    return { text, buttons: [yes, no], isAwaited: () => true, isOutdated };
  });
  await turnsOfTheLoop();
  names.push('two');
  await pass(seenFor);
  deepEqual(said, ['one']);
  names.push('three');
  await pass(3000 - seenFor);
  deepEqual(said, ['one', 'one,two,three']);
  await pass(3000);
  deepEqual(said, ['one', 'one,two,three'], 'It says all.');
  await click('one,two,three', 'No');
  equal(await asked, 'No');
});
