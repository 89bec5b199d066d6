/** An entry of a list, as its server sent it: nothing is taken out of it, and nothing added. */
export type Offer = Readonly<Record<string, unknown>>;

/** A tool or a prompt. */
export type NamedOffer = Offer & { readonly name: string };

/** What a server can offer, and by what each entry of it is told from the others. */
export interface Offers {
  readonly tools: NamedOffer;
  readonly resources: Offer & { readonly uri: string };
  readonly resourceTemplates: Offer & { readonly uriTemplate: string };
  readonly prompts: NamedOffer;
}

export type OfferKind = keyof Offers;

/** The lists of which a server says that they changed; templates change with the resources. */
export type ListKind = Exclude<OfferKind, 'resourceTemplates'>;

/** How a list is asked for. */
export interface ListRequest {
  readonly method: string;
  /** The capability without which it is not. */
  readonly capability: ListKind;
  /** The text that every entry has, each another. */
  readonly key: 'name' | 'uri' | 'uriTemplate';
}

/** The requests for the lists, by what is in them. */
export const listRequests: Readonly<Record<OfferKind, ListRequest>> = {
  tools: { method: 'tools/list', capability: 'tools', key: 'name' },
  resources: { method: 'resources/list', capability: 'resources', key: 'uri' },
  resourceTemplates: {
    method: 'resources/templates/list',
    capability: 'resources',
    key: 'uriTemplate',
  },
  prompts: { method: 'prompts/list', capability: 'prompts', key: 'name' },
};
