import { equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startHub } from '../support/hub.ts';
import { configOf, everythingServer } from '../support/hubServers.ts';
import { tempFolder } from '../support/temp.ts';

interface Linked {
  readonly type: string;
  readonly uri?: string;
  readonly resource?: { readonly uri: string };
}

describe('what an exposed server refers to', { concurrency: 2 }, () => {
  test('can be read through the hub', async t => {
    const roots = [tempFolder(t)];
    const config = configOf({ every: everythingServer(t) });
    const hub = await startHub(t, { era: 'legacy', config, roots, args: ['--expose', 'tools'] });
    const call = async (tool: string, args = {}) =>
      (await hub.callOwn(`every__${tool}`, args)).content as readonly Linked[];
    const links = (await call('get-resource-links', { count: 2 })).map(({ uri }) => uri);
    const type = { resourceType: 'Text', resourceId: 1 };
    const held = (await call('get-resource-reference', type)).map(({ resource }) => resource?.uri);
    const got = await hub.client.getPrompt({
      name: 'every__resource-prompt',
      arguments: { resourceType: 'Text', resourceId: '1' },
    });
    const prompted = got.messages.map(({ content }) => (content as Linked).resource?.uri);
    const all = [...links, ...held, ...prompted].filter(uri => uri !== undefined);
    equal(all.length, 4);
    for (const uri of all) {
      ok(uri.startsWith('every+demo://'), uri);
      const { contents } = await hub.client.readResource({ uri });
      equal(contents[0]?.uri, uri);
    }
    // As the server itself writes them, for those who know it under its own name.
    const { content } = await hub.call('every', 'get-resource-links', { count: 1 });
    ok((content as readonly Linked[]).every(({ uri = 'demo://' }) => uri.startsWith('demo://')));
  });
});
