import { equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { HubHost } from '../../src/server/hub/hubHost.ts';
import type { RelayToClient } from '../../src/server/hub/session/relayToClient.ts';
import type { RootsRecord } from '../../src/server/hub/session/rootsRecord.ts';
import { SessionTenant } from '../../src/server/hub/session/sessionTenant.ts';
import { RootSources } from '../../src/server/roots/rootSources.ts';
import { viewWithoutRoots } from '../../src/server/roots/rootsView.ts';
import { childSets, nobody } from '../support/childSets.ts';

const context = {} as ServerContext;

test('a session that has ended holds no children any more, and is given none', t => {
  const { sets } = childSets(t);
  const host = { era: 'legacy', capabilities: () => ({}) } as unknown as HubHost;
  const noted: unknown[] = [];
  const record = { note: (view: unknown) => noted.push(view) } as unknown as RootsRecord;
  const relay = { of: () => nobody } as unknown as RelayToClient;
  const tenant = new SessionTenant({ host, session: 'one', sets, relay, record });
  const sources = new RootSources({ withoutRoots: 'deny' }, 'linux');
  const view = viewWithoutRoots('legacy', sources);
  tenant.take(view, undefined);
  tenant.dispose();
  const over = { name: 'HumanError', message: 'The session has ended.' };
  throws(() => tenant.take({ ...view }, undefined), over);
  throws(() => tenant.currentOrWithoutRoots(context), over);
  equal(tenant.held, undefined);
  equal(noted.length, 1);
});
