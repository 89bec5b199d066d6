import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accessOf, PublishingWindow, publishable } from '../../../../support/publishing.ts';

/** The events of the published servers of a window. */
function eventsOf({ published }: PublishingWindow): string[] {
  const events: string[] = [];
  published.onDidChange(() =>
    events.push(`now ${published.all.map(({ name }) => name).join(', ') || 'none'}`),
  );
  return events;
}

describe('the published servers', () => {
  it('are the offered servers with consent, under the names that clients know', () => {
    const window = new PublishingWindow(
      publishable('My Files', { isOffered: false }),
      publishable('my files'),
      publishable('git', { access: accessOf('denied') }),
      publishable('web', { isLaunchAllowed: false }),
    );
    assert.deepEqual(
      window.published.all.map(({ name }) => name),
      ['my-fil_8mekzn'],
    );
  });

  it('change when the list does', () => {
    const files = publishable('files');
    const git = publishable('git');
    const window = new PublishingWindow(files, git);
    const events = eventsOf(window);
    window.now(files, { ...git });
    assert.deepEqual(events, []);
    window.now(files, { ...git, isOffered: false });
    window.now({ ...files, access: accessOf('denied') }, git);
    window.now(files, git);
    // A changed server is another one, even where that is offered at once.
    window.now(files, { ...git, identity: 'b2' });
    assert.deepEqual(events, ['now files', 'now git', 'now files, git', 'now files, git']);
  });

  it('are empty in an untrusted window, and are not announced after disposal', () => {
    const files = publishable('files');
    const window = new PublishingWindow(files);
    const events = eventsOf(window);
    window.now({ ...files, access: accessOf('restricted') });
    assert.deepEqual(events, ['now none']);
    window.published.dispose();
    window.now(files);
    assert.equal(events.length, 1);
  });
});
