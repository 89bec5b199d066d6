import { exposedUri, resolveExposedUri } from '../../../domain/hub/exposedUris.ts';
import { isJsonObject } from '../../../domain/settings/values.ts';
import { type ExposedChild, gatherOffers, type OnProblem } from './gatherOffers.ts';
import type { Offer, Offers } from './offers.ts';

/** A resource of a server, by the URI that the server knows. */
export interface FoundResource<C> {
  readonly child: C;
  readonly uri: string;
}

/** The resources of several servers that run, under URIs that tell the servers apart. */
export class ExposedResources {
  private readonly onProblem: OnProblem;

  constructor(onProblem: OnProblem) {
    this.onProblem = onProblem;
  }

  /** Those of all servers, in their order, as they came but for the URI. */
  async list<C extends ExposedChild>(children: Iterable<C>): Promise<Offers['resources'][]> {
    const listed = await this.gather(children, 'resources');
    return listed.map(({ server, offer }) => ({ ...offer, uri: exposedUri(server, offer.uri) }));
  }

  /** As {@link list}, of the templates. */
  async listTemplates<C extends ExposedChild>(
    children: Iterable<C>,
  ): Promise<Offers['resourceTemplates'][]> {
    const listed = await this.gather(children, 'resourceTemplates');
    return listed.map(({ server, offer }) => ({
      ...offer,
      uriTemplate: exposedUri(server, offer.uriTemplate),
    }));
  }

  /** Of which server a URI, or the template of some, is; `undefined`: of none of these. */
  find<C extends ExposedChild>(children: Iterable<C>, uri: string): FoundResource<C> | undefined {
    const byName = new Map(Array.from(children, child => [child.server.name, child] as const));
    const found = resolveExposedUri(uri, byName.keys());
    const child = found && byName.get(found.server);
    return child && { child, uri: found.uri };
  }

  private async gather<C extends ExposedChild, K extends 'resources' | 'resourceTemplates'>(
    children: Iterable<C>,
    kind: K,
  ): Promise<{ readonly server: string; readonly offer: Offers[K] }[]> {
    // Those of a server that does not run are not remembered: which there are depends on the roots.
    const of = async ({ isUp, offerings }: C): Promise<readonly Offers[K][]> =>
      isUp && offerings ? offerings.list(kind) : [];
    const gathered = await gatherOffers(children, of, this.onProblem);
    return gathered.flatMap(({ child, offers }) =>
      offers.map(offer => ({ server: child.server.name, offer })),
    );
  }
}

/** The result of a read as it goes upstream: as it came, but for the URIs of its contents. */
export function exposedContents(server: string, result: Offer): Offer {
  const { contents } = result;
  return Array.isArray(contents)
    ? { ...result, contents: contents.map(content => withExposedUri(server, content)) }
    : result;
}

/**
 * The result of a tool or a prompt as it goes upstream: as it came, but for the URIs of the resources
 * that it links to or holds, which can be read by those that are known there.
 */
export function exposedResult(server: string, result: Offer): Offer {
  const { content, messages } = result;
  return {
    ...result,
    ...(Array.isArray(content) && { content: withExposedLinks(server, content) }),
    ...(Array.isArray(messages) && {
      messages: messages.map(message =>
        isJsonObject(message) && 'content' in message
          ? { ...message, content: withExposedLinks(server, message['content']) }
          : message,
      ),
    }),
  };
}

function withExposedLinks(server: string, content: unknown): unknown {
  if (Array.isArray(content)) {
    return content.map(item => withExposedLinks(server, item));
  }
  if (!isJsonObject(content)) {
    return content;
  }
  const { type, resource } = content;
  if (type === 'resource' && resource !== undefined) {
    return { ...content, resource: withExposedUri(server, resource) };
  }
  return type === 'resource_link' ? withExposedUri(server, content) : content;
}

function withExposedUri(server: string, content: unknown): unknown {
  return content instanceof Object && 'uri' in content && typeof content.uri === 'string'
    ? { ...content, uri: exposedUri(server, content.uri) }
    : content;
}
