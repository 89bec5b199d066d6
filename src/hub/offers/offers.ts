import {
  nameCandidates,
  type OfferCandidate,
  offeredName,
  offeredUri,
  uriCandidates,
} from '../../domain/hubConfig/offeredNames.ts';
import { isFileUri } from '../../domain/paths/pathUri.ts';
import type { Listed } from '../../mcp/connection.ts';

/** An entry of a list, as its server sent it: nothing is taken out of it, and nothing added. */
export type Offer = Readonly<Record<string, unknown>>;

/** A tool or a prompt. */
type NamedOffer = Offer & { readonly name: string };

/** The kinds of what a server can offer, each with the member that tells its entries apart. */
export interface Offers {
  readonly tools: NamedOffer;
  readonly resources: Offer & { readonly uri: string };
  readonly resourceTemplates: Offer & { readonly uriTemplate: string };
  readonly prompts: NamedOffer;
}

export type OfferKind = keyof Offers;

/** How the entries of one kind are listed by a server, and named for the hub's clients. */
interface OfferTraits {
  /** The request for the list. */
  readonly method: string;
  /** The capability without which a server is not asked. Templates change with the resources. */
  readonly capability: Listed;
  /** The member that tells the entries apart. */
  readonly key: 'name' | 'uri' | 'uriTemplate';
  readonly naming: Naming;
}

/** The names or URIs that clients have for what servers offer, so that two servers never collide. */
interface Naming {
  /** What clients have for the server's `own` name or URI. */
  offered(server: string, own: string): string;
  /** The servers among these that it can belong to. */
  candidates(offered: string, servers: readonly string[]): readonly OfferCandidate[];
  /** Whether it can belong to no server behind the hub, as what the bundled server itself offers. */
  isForeign(offered: string): boolean;
}

const names: Naming = {
  offered: offeredName,
  candidates: nameCandidates,
  isForeign: name => !name.includes('__'),
};

const uris: Naming = { offered: offeredUri, candidates: uriCandidates, isForeign: isFileUri };

export const offerKinds: Readonly<Record<OfferKind, OfferTraits>> = {
  tools: { method: 'tools/list', capability: 'tools', key: 'name', naming: names },
  resources: { method: 'resources/list', capability: 'resources', key: 'uri', naming: uris },
  resourceTemplates: {
    method: 'resources/templates/list',
    capability: 'resources',
    key: 'uriTemplate',
    naming: uris,
  },
  prompts: { method: 'prompts/list', capability: 'prompts', key: 'name', naming: names },
};
