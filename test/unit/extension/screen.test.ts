import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';
import { seenFor, shown } from '../../../src/domain/shown.ts';
import { type Button, Screen } from '../../../src/extension/screen.ts';
import { TurnedClock } from '../../support/turnedClock.ts';
import { turnsOfTheLoop } from '../../support/turns.ts';

const [yes, no] = [
  { title: shown('Yes'), follow: () => 'Yes' },
  { title: shown('No'), follow: () => 'No' },
] as const;

/** An editor whose screen, window and clock are in the hands of the test. */
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
      clicks.get(text)?.(); // The editor closes a message for which an equal one comes.
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
    clock.pass(milliseconds);
    await turnsOfTheLoop();
  };
  return {
    said,
    screen,
    pass,
    /** Clicks a button of a message at once, or closes it. */
    async clickAtOnce(text: string, title?: string) {
      clicks.get(text)?.(title);
      await turnsOfTheLoop();
    },
    /** Reads a message, then clicks a button of it, or closes it. A second goes by after that. */
    async click(text: string, title?: string) {
      clock.pass(seenFor);
      clicks.get(text)?.(title);
      await turnsOfTheLoop();
      await pass(seenFor);
    },
    focus(focused: boolean) {
      window.state.focused = focused;
      didChangeState.fire();
    },
    /** As long goes by as the editor shows a message at most. */
    hide: () => clock.pass(17_000),
    ask: (text: string, more: object = {}) =>
      screen.show(() => ({ text: shown(text), buttons: [yes, no], ...more })),
  };
}

test('one message is shown at a time, and the next when the first is clicked, however long what follows takes', async () => {
  const { said, screen, click, ask } = anEditor();
  let end = (_: string) => {};
  const follow = () => new Promise<string>(resolve => (end = resolve));
  const first = screen.show(() => ({ text: shown('one'), buttons: [{ ...yes, follow }] }));
  const second = ask('two');
  await turnsOfTheLoop();
  deepEqual(said, ['one']);
  await click('one', 'Yes');
  await turnsOfTheLoop();
  deepEqual(said, ['one', 'two']);
  await click('two', 'No');
  equal(await second, 'No');
  end('done');
  equal(await first, 'done');
});

test('a dialog that follows from a message at once comes before the next message', async () => {
  const { said, screen, click, ask } = anEditor();
  const follow = () => screen.ask({ text: shown('dialog'), buttons: [yes] });
  const first = screen.show(() => ({ text: shown('one'), buttons: [{ ...yes, follow }] }));
  const second = ask('two');
  await turnsOfTheLoop();
  await click('one', 'Yes');
  await turnsOfTheLoop();
  deepEqual(said, ['one', 'dialog']);
  await click('dialog', 'Yes');
  equal(await first, 'Yes');
  await turnsOfTheLoop();
  await click('two');
  equal(await second, undefined);
});

test('what is said is found out when its turn has come, and nothing then makes room', async () => {
  const { said, screen, click, ask } = anEditor();
  const first = ask('one');
  let folders = 'two folders';
  const skipped = screen.show(() => undefined);
  const third = screen.show(() => ({ text: shown(folders), buttons: [yes] }));
  folders = 'one folder';
  await turnsOfTheLoop();
  await click('one');
  deepEqual([await first, await skipped], [undefined, undefined]);
  await turnsOfTheLoop();
  deepEqual(said, ['one', 'one folder']);
  await click('one folder', 'Yes');
  equal(await third, 'Yes');
});

test('a message that was hidden makes room, and can be answered all the same', async () => {
  const { said, click, ask, hide } = anEditor();
  const first = ask('one');
  const second = ask('two');
  await turnsOfTheLoop();
  hide();
  await turnsOfTheLoop();
  deepEqual(said, ['one', 'two']);
  await click('one', 'Yes');
  equal(await first, 'Yes');
  await click('two', 'No');
  equal(await second, 'No');
});

test('nothing is hidden while the window is in the background', async () => {
  const { said, click, ask, focus, hide } = anEditor();
  const all = [ask('one'), ask('two', { kind: 'warning' }), ask('three')];
  focus(false);
  await turnsOfTheLoop();
  hide();
  await turnsOfTheLoop();
  deepEqual(said, ['one']);
  focus(true);
  hide();
  await turnsOfTheLoop();
  deepEqual(said, ['one', 'warning: two']);
  await click('two');
  await turnsOfTheLoop();
  deepEqual(said, ['one', 'warning: two', 'three']);
  await click('one');
  await click('three');
  deepEqual(await Promise.all(all), [undefined, undefined, undefined]);
});

test('an error that nobody closes makes room as well', async () => {
  const { said, screen, ask, click, hide } = anEditor();
  screen.tell(shown('one'), 'error');
  const second = ask('two');
  await turnsOfTheLoop();
  deepEqual(said, ['error: one']);
  hide();
  await turnsOfTheLoop();
  deepEqual(said, ['error: one', 'two']);
  await click('two', 'Yes');
  equal(await second, 'Yes');
});

test('an answer that comes too late is not taken, and the person is told', async () => {
  const { said, click, ask } = anEditor();
  let isOpen = true;
  const first = ask('one', { isOpen: () => isOpen });
  await turnsOfTheLoop();
  isOpen = false;
  await click('one', 'Yes');
  equal(await first, undefined);
  await turnsOfTheLoop();
  deepEqual(said.slice(1), ['Nothing was kept: that question no longer waits for an answer.']);
});

test('a dialog comes at once, and a message that waits comes after the last of them', async () => {
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

test('an answer to a dialog that comes too late is not taken either', async () => {
  const { said, screen, click } = anEditor();
  let isOpen = true;
  const asked = screen.ask({ text: shown('one'), buttons: [yes], isOpen: () => isOpen });
  await turnsOfTheLoop();
  isOpen = false;
  await click('one', 'Yes');
  equal(await asked, undefined);
  await turnsOfTheLoop();
  deepEqual(said.slice(1), ['Nothing was kept: that question no longer waits for an answer.']);
});

test('one that fails takes no other down', async () => {
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

test('one that is awaited comes again when it was hidden, after the others, until it is answered', async () => {
  const { said, click, ask, hide } = anEditor();
  const first = ask('one', { isAwaited: () => true });
  const second = ask('two');
  await turnsOfTheLoop();
  hide();
  await turnsOfTheLoop();
  deepEqual(said, ['one', 'two']);
  await click('two', 'No');
  await second;
  await turnsOfTheLoop();
  hide();
  await turnsOfTheLoop();
  deepEqual(said, ['one', 'two', 'one', 'one']);
  await click('one', 'Yes');
  equal(await first, 'Yes');
});

test('one that is awaited can be answered while it is hidden and its turn has not come again', async () => {
  const { click, ask, hide } = anEditor();
  const first = ask('one', { isAwaited: () => true });
  const second = ask('two');
  await turnsOfTheLoop();
  hide();
  await turnsOfTheLoop();
  await click('one', 'Yes');
  equal(await first, 'Yes');
  await click('two', 'No');
  equal(await second, 'No');
});

test('one that is awaited is over when it is closed, or hidden and awaited no more', async () => {
  const { said, screen, click, ask, hide } = anEditor();
  const closed = ask('one', { isAwaited: () => true });
  await turnsOfTheLoop();
  hide();
  await turnsOfTheLoop();
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
  hide();
  equal(await left, undefined);
  deepEqual(said, ['one', 'one', 'two']);
  await click('two', 'Yes');
  await turnsOfTheLoop();
  deepEqual(clicked, ['Yes'], 'Where the editor lists it, it can be answered all the same.');
});

test('the second click of a double click finds no message, and a click on a new one is no answer', async () => {
  const { said, click, clickAtOnce, pass, ask } = anEditor();
  const first = ask('one');
  const second = ask('two');
  await turnsOfTheLoop();
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

test('a click on a dialog that nobody can have read is no answer, and the way out is one at once', async () => {
  const { said, screen, click, clickAtOnce } = anEditor();
  const dialog = (text: string) =>
    screen.ask({ text: shown(text), buttons: [yes], wayOut: shown('Not Now') });
  const both = [dialog('one'), dialog('two')];
  await turnsOfTheLoop();
  await clickAtOnce('one', 'Yes');
  deepEqual(said, ['one', 'one']);
  await click('one', 'Yes');
  deepEqual(said, ['one', 'one', 'two'], 'A second goes by for each, however long it has waited.');
  const left = dialog('three');
  await clickAtOnce('two', 'Not Now');
  await clickAtOnce('three', 'Not Now');
  deepEqual(await Promise.all([...both, left]), ['Yes', undefined, undefined]);
});

test('what is to be confirmed waits for the dialog before it, and takes no click before it could be read', async () => {
  const { said, screen, click, clickAtOnce, pass } = anEditor();
  const first = screen.ask({ text: shown('one'), buttons: [yes] });
  const sure = (text: string) => screen.confirm(shown(text), shown('detail'), shown('Remove'));
  const [both, left] = [sure('two'), sure('three')];
  await turnsOfTheLoop();
  await pass(60_000);
  deepEqual(said, ['one'], 'The second that it is looked at begins when it stands there.');
  await clickAtOnce('one', 'Yes');
  equal(await first, 'Yes');
  await pass(seenFor - 1);
  await clickAtOnce('two', 'Remove');
  deepEqual(said, ['one', 'two', 'two']);
  await click('two', 'Remove');
  await click('three');
  deepEqual([await both, await left], [true, false]);
});

test('a message counts as seen without the focus: it stands on the screen all the same', async () => {
  const { clickAtOnce, pass, focus, ask } = anEditor();
  focus(false);
  const first = ask('one');
  await turnsOfTheLoop();
  await pass(seenFor);
  focus(true);
  await clickAtOnce('one', 'Yes');
  equal(await first, 'Yes');
});

test('a dialog counts as seen without the focus: one of the system takes that', async () => {
  const { said, screen, click, focus } = anEditor();
  const asked = screen.ask({ text: shown('one'), buttons: [yes] });
  await turnsOfTheLoop();
  focus(false);
  await click('one', 'Yes');
  equal(await asked, 'Yes');
  deepEqual(said, ['one']);
});

test('what was closed or answered before it could be read leaves no question open', async () => {
  const { said, pass, clickAtOnce, ask } = anEditor();
  let isOpen = true;
  const closed = ask('one');
  await turnsOfTheLoop();
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

test('one that is awaited comes anew when there is more to say, after it could be read', async () => {
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
