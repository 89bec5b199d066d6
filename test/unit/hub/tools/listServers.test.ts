import { doesNotMatch, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { listServers } from '../../../../src/hub/tools/listServers.ts';
import { stdioLaunch } from '../../../support/launches.ts';
import { hubServer, recordedUpstreams, rootsOf } from '../../../support/upstreams.ts';

test('does not list a server as confined before a process ran in a sandbox', async t => {
  const server = hubServer('git', stdioLaunch({ command: '${env:MCP_ROOTS_NO_SUCH}' }), {
    sandbox: { network: false, read: [], write: [] },
  });
  const { at } = recordedUpstreams(t, [server]);
  const current = { servers: [server] };
  const config = { current, problems: [], leftOut: [], switchedOff: [] };
  const said = (upstreams: ReturnType<typeof at>) =>
    JSON.stringify(listServers(upstreams, config, undefined).content);
  doesNotMatch(said(new Map()), /keeps the server in its folders/);
  const [api, web] = rootsOf(t, 'api', 'web');
  const upstream = at([api!]).get('git');
  await upstream?.managed.start('by-itself');
  at([web!]);
  equal(upstream?.state.kind, 'stopped');
  doesNotMatch(said(at([web!])), /keeps the server in its folders/);
});
