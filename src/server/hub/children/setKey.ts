import type { RootFolder } from '../../roots/rootFolders.ts';
import type { Tenant } from './tenant.ts';

/** Equal for roots and tenants that can have the same set of children. */
export function setKey(roots: readonly RootFolder[], { relay, client }: Tenant): string {
  const { capabilities } = relay;
  const { kind, id } = client;
  return JSON.stringify([
    roots.map(({ real, uri, name }) => [real, uri, name ?? null]),
    capabilities,
    // A server may ask late, and then it must not ask somebody else.
    canBeAsked({ relay }) && kind !== 'request' ? id : null,
  ]);
}

/** Whether servers may ask anything of it. */
export function canBeAsked({ relay }: Pick<Tenant, 'relay'>): boolean {
  return Object.keys(relay.capabilities).length > 0;
}
