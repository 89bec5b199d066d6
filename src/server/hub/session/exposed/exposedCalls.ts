import type { ServerContext } from '@modelcontextprotocol/server';
import type { Child } from '../../children/child.ts';
import type { ExposedNamed, FoundName } from '../../expose/exposedNamed.ts';
import type { ExposedResources } from '../../expose/exposedResources.ts';
import type { Answers, HubHost, RawRequest, RawResult } from '../../hubHost.ts';
import type { GuardedCalls } from '../guardedCalls.ts';
import type { SessionChildren } from '../sessionChildren.ts';

/** What the exposed offers of servers are listed and used with. */
export interface ExposedParts {
  readonly host: HubHost;
  readonly tools: ExposedNamed;
  readonly prompts: ExposedNamed;
  readonly resources: ExposedResources;
  readonly children: SessionChildren;
  readonly calls: GuardedCalls;
}

/** By its method, a request that exposed offers take part in. */
export type ExposedAnswer = readonly [method: string, answers: Answers];

/** What an exposed name stands for, its server started if only that can tell; `undefined`: nothing. */
export async function findExposed(
  named: ExposedNamed,
  children: SessionChildren,
  name: string,
  context: ServerContext,
): Promise<(FoundName<Child> & { readonly kind: 'found' }) | undefined> {
  // None of the bundled server's own names has two underscores.
  if (!name.includes('__')) {
    return undefined;
  }
  const found = await named.find(children.present(context), name);
  if (found?.kind !== 'not-running') {
    return found;
  }
  await found.child.prepare(context.mcpReq.signal);
  const again = await named.find([found.child], name);
  return again?.kind === 'found' ? again : undefined;
}

/** A list with more at its end, which is on its last page. */
export function withMore(listed: RawResult, key: string, more: readonly object[]): RawResult {
  const own: readonly unknown[] = Array.isArray(listed[key]) ? listed[key] : [];
  return { ...listed, [key]: [...own, ...more] };
}

/** A text among the parameters of a request; empty where there is none. */
export function textParam({ params }: RawRequest, key: string): string {
  const value = params?.[key];
  return typeof value === 'string' ? value : '';
}
