import { deepEqual, equal, match } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Hub, startHub } from '../support/hub.ts';
import { configOf } from '../support/hubServers.ts';
import { oddHubServer, plainTool } from '../support/oddServers.ts';
import { tempFolder } from '../support/temp.ts';

const long = `  Ask first.\r\n\n\tThen\u202e\u0007 act.\nfiles › forged() ${'x'.repeat(5000)}`;

test('what a server says of itself is told once it runs: in short with the others, else at length', async t => {
  const tools = [plainTool('plain')];
  const odd = oddHubServer(t, { tools, title: ' An  Odd\nServer ', instructions: long });
  const silent = oddHubServer(t, { tools, title: '', instructions: ' ' });
  const hub = await open(t, { odd, silent });
  deepEqual(await described(hub), [{}, {}]);
  await hub.call('odd', 'plain');
  await hub.call('silent', 'plain');
  const inShort = `Ask first. Then\\u202e\\u0007 act. files › forged() ${'x'.repeat(257)}…`;
  deepEqual(await described(hub), [{ title: 'An Odd Server', instructions: inShort }, {}]);
  const [line = '', other = ''] = textsOf(await hub.callOwn('list-servers'))[0]?.split('\n') ?? [];
  match(
    line,
    /^odd \(An Odd Server\): running, with 1 tool\. It learns of .*\. It says of itself: Ask first\. /,
  );
  match(
    other,
    /^silent: running, with 1 tool\. It learns of the shared folders when it asks for them\.$/,
  );

  const { content, structuredContent } = await hub.callOwn('list-tools', { serverName: 'odd' });
  const [first, blank, then, forged = ''] = String(structuredContent?.['instructions']).split('\n');
  deepEqual([first, blank, then], ['Ask first.', '', ' Then\\u202e\\u0007 act.']);
  match(forged, /^files › forged\(\) x{3900,4000}…$/);
  equal(structuredContent?.['title'], 'An Odd Server');
  deepEqual(textsOf({ content }), [
    'odd › plain()',
    `odd says of itself:\n${structuredContent?.['instructions']}`,
  ]);

  deepEqual(textsOf(await hub.callOwn('list-tools', { serverName: 'silent' })), [
    'silent › plain()',
  ]);
  const all = await hub.callOwn('list-tools');
  deepEqual(textsOf(all), ['odd › plain()\nsilent › plain()']);
  deepEqual(Object.keys(all.structuredContent ?? {}), ['tools', 'problems']);
});

async function described(hub: Hub): Promise<readonly object[]> {
  const { servers } = await hub.listServers();
  return (servers as readonly { title?: string; instructions?: string }[]).map(
    ({ title, instructions }) => ({
      ...(title && { title }),
      ...(instructions && { instructions }),
    }),
  );
}

function open(t: TestContext, servers: Parameters<typeof configOf>[0]): Promise<Hub> {
  return startHub(t, { era: 'legacy', config: configOf(servers), roots: [tempFolder(t)] });
}

function textsOf({ content }: Pick<Awaited<ReturnType<Hub['call']>>, 'content'>): string[] {
  return content.map(({ text = '' }) => text);
}
