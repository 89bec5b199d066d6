import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import type { Server } from './server.ts';

/** The subject of a question: a server, or an extension that asks for roots, which has no launch. */
export type Asked = Pick<
  Server,
  | 'identity'
  | 'fields'
  | 'access'
  | 'isLive'
  | 'isRetired'
  | 'lastExposure'
  | 'needsRestart'
  | 'sandbox'
> & {
  /** Its own claims, to be read before an answer, in whole sentences. */
  readonly claims?: readonly string[];
  readonly definition: Pick<ServerDefinition, 'id' | 'label'> &
    Partial<Pick<ServerDefinition, 'offers' | 'sandbox' | 'launch' | 'rootsAs'>>;
};
