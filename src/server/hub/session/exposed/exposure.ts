import { Catalogue } from '../../expose/catalogue.ts';
import { ExposedNamed } from '../../expose/exposedNamed.ts';
import { ExposedResources } from '../../expose/exposedResources.ts';
import type { OnProblem } from '../../expose/gatherOffers.ts';
import type { HubHost } from '../../hubHost.ts';
import type { GuardedCalls } from '../guardedCalls.ts';
import type { SessionChildren } from '../sessionChildren.ts';
import { exposedCompletion } from './completion.ts';
import type { ExposedAnswer, ExposedParts } from './exposedCalls.ts';
import { exposedPrompts } from './prompts.ts';
import { exposedResources } from './resources.ts';
import { exposedTools } from './tools.ts';

/** What exposing takes from the session. */
export interface ExposureParts {
  readonly host: HubHost;
  readonly children: SessionChildren;
  readonly calls: GuardedCalls;
  readonly config: ExposedParts['config'];
  readonly onProblem: OnProblem;
}

/** With what the hub offers that its servers offer: tools, resources and prompts. */
export function exposure({ onProblem, ...session }: ExposureParts): ExposedAnswer[] {
  // Of this session alone: what a tool says of itself may name the folders of another one.
  const catalogue = new Catalogue();
  const named = (kind: 'tools' | 'prompts') => new ExposedNamed({ kind, catalogue, onProblem });
  const parts: ExposedParts = {
    ...session,
    tools: named('tools'),
    prompts: named('prompts'),
    resources: new ExposedResources(onProblem),
  };
  return [
    ...exposedTools(parts),
    ...exposedResources(parts),
    ...exposedPrompts(parts),
    ...exposedCompletion(parts),
  ];
}
