import type { ConfigFile } from '../../config/configFile.ts';
import type { ExposedNamed } from '../../expose/exposedNamed.ts';
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
  readonly config: Pick<ConfigFile, 'leftOut' | 'switchedOff'>;
}

/** By its method, a request that exposed offers take part in. */
export type ExposedAnswer = readonly [method: string, answers: Answers];

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
