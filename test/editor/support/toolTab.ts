import assert from 'node:assert/strict';
import type {
  FromToolCall,
  ShownOutcome,
  ShownQuestion,
  ToToolCall,
} from '../../../src/pages/pageMessages.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { StandInTab } from './standInTab.ts';

/** Stands in for the tab of a tool. */
export class ToolTab extends StandInTab<ToToolCall> {
  /** The number of messages before the last call. */
  private before = 0;

  /** Sends this as the page would, even if a page cannot send it. */
  override say(message: FromToolCall | object): void {
    if ('kind' in message && message.kind === 'call') {
      this.before = this.told.length;
    }
    super.say(message);
  }

  /** The result of the last call. */
  async outcome(): Promise<ShownOutcome> {
    return eventually(() => {
      const told = this.told.slice(this.before).find(({ kind }) => kind === 'outcome');
      assert.ok(told?.kind === 'outcome', 'There is no outcome yet.');
      return told.outcome;
    });
  }

  /** The first question that is asked and not settled yet. */
  async question(): Promise<{ readonly id: number; readonly question: ShownQuestion }> {
    return eventually(() => {
      const isSettled = (id: number) =>
        this.told.some(message => message.kind === 'settled' && message.id === id);
      const asked = this.told
        .slice(this.before)
        .find(one => one.kind === 'asked' && !isSettled(one.id));
      assert.ok(asked?.kind === 'asked', 'Nothing is asked.');
      return asked;
    });
  }
}

/** The answer to a call with these arguments in the tab that the command opens. */
export async function answeredBy(
  command: () => PromiseLike<unknown>,
  args: object = {},
): Promise<{
  readonly text: string;
  readonly isError: boolean;
}> {
  const tab = new ToolTab();
  try {
    await command();
    assert.equal(tab.titles.length, 1, 'No tab was opened.');
    await eventually(() => assert.ok(tab.told.some(({ kind }) => kind === 'tool')));
    tab.say({ kind: 'call', args: JSON.stringify(args) });
    const outcome = await tab.outcome();
    assert.equal(outcome.kind, 'result');
    const { content, isError = false } = JSON.parse(outcome.result);
    const texts = content.map(({ text }: { readonly text?: string }) => text ?? '');
    return { text: texts.join('\n'), isError };
  } finally {
    tab.leave();
  }
}
