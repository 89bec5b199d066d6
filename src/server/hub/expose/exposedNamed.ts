import { canBeOf, exposedName, isExposedAs, plainPair } from '../../../domain/hub/exposedNames.ts';
import type { Catalogue, RememberedKind } from './catalogue.ts';
import { type ExposedChild, gatherOffers, type OnProblem } from './gatherOffers.ts';
import type { NamedOffer } from './offers.ts';

/** What a name upstream stands for, and of which server. */
export type FoundName<C> =
  | {
      readonly kind: 'found';
      readonly child: C;
      /** The tool or prompt, as its server calls it; whether it has it is not looked up. */
      readonly name: string;
    }
  /** That can be told only by this server, which does not run: start it and look again. */
  | { readonly kind: 'not-running'; readonly child: C };

/** What exposed tools or prompts are listed and found with. */
export interface ExposedNamedParts {
  readonly kind: RememberedKind;
  readonly catalogue: Catalogue;
  readonly onProblem: OnProblem;
}

/** The tools or the prompts of several servers, under names that tell the servers apart. */
export class ExposedNamed {
  private readonly parts: ExposedNamedParts;

  constructor(parts: ExposedNamedParts) {
    this.parts = parts;
  }

  /**
   * Those of all servers, in their order, as they came but for the name. Of a server that does not
   * run they are those that are remembered of it.
   */
  async list<C extends ExposedChild>(children: Iterable<C>): Promise<NamedOffer[]> {
    const gathered = await gatherOffers(children, child => this.of(child), this.parts.onProblem);
    const exposed = new Map<string, NamedOffer>();
    for (const { child, offers } of gathered) {
      for (const offer of offers) {
        const name = exposedName(child.server.name, offer.name);
        // Names with the same hash are hardly to be expected: then it is the first that is found.
        exposed.set(name, exposed.get(name) ?? { ...offer, name });
      }
    }
    return [...exposed.values()];
  }

  /** `undefined`: no server can have it. */
  async find<C extends ExposedChild>(
    children: Iterable<C>,
    exposed: string,
  ): Promise<FoundName<C> | undefined> {
    const all = [...children];
    const pair = plainPair(exposed);
    if (pair) {
      const child = all.find(({ server }) => server.name === pair.server);
      return child && { kind: 'found', child, name: pair.name };
    }
    const possible = all.filter(({ server }) => canBeOf(server.name, exposed));
    const gathered = await gatherOffers(possible, child => this.of(child), this.parts.onProblem);
    for (const { child, offers } of gathered) {
      const offer = offers.find(({ name }) => isExposedAs(child.server.name, name, exposed));
      if (offer) {
        return { kind: 'found', child, name: offer.name };
      }
    }
    const child = possible.find(({ isUp }) => !isUp);
    return child && { kind: 'not-running', child };
  }

  /** A tool or prompt as its server listed it last; `undefined`: it did not. */
  listed({ server }: ExposedChild, name: string): NamedOffer | undefined {
    const { kind, catalogue } = this.parts;
    return catalogue.recall(server.fingerprint, kind)?.find(offer => offer.name === name);
  }

  private async of({ server, isUp, offerings }: ExposedChild): Promise<readonly NamedOffer[]> {
    const { kind, catalogue } = this.parts;
    if (!isUp || !offerings) {
      return catalogue.recall(server.fingerprint, kind) ?? [];
    }
    const offers = await offerings.list(kind);
    catalogue.remember(server.fingerprint, kind, offers);
    return offers;
  }
}
