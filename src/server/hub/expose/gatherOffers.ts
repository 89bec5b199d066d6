import { isHumanError } from '../../../domain/errors.ts';
import { printable } from '../../../domain/printable.ts';
import type { Offerings } from './offerings.ts';

/** A server whose offers are exposed, running or not. */
export interface ExposedChild {
  readonly server: { readonly name: string; readonly fingerprint: string };
  /** Whether it runs, which is all that listing takes. */
  readonly isUp: boolean;
  /** `undefined`: it was never started. */
  readonly offerings: Offerings | undefined;
}

/** Is told what is missing in a list, and why, in finished sentences. */
export type OnProblem = (problem: string) => void;

/** What one server offers. */
export interface OffersOf<C, T> {
  readonly child: C;
  readonly offers: readonly T[];
}

/** What servers say they offer, in their order. One that fails to say it offers nothing. */
export function gatherOffers<C extends ExposedChild, T>(
  children: Iterable<C>,
  ask: (child: C) => Promise<readonly T[]>,
  onProblem: OnProblem,
): Promise<OffersOf<C, T>[]> {
  const gathered = Array.from(children, async child => {
    try {
      return { child, offers: await ask(child) };
    } catch (error) {
      onProblem(`${printable(child.server.name)}: ${problemOf(error)}`);
      return { child, offers: [] };
    }
  });
  return Promise.all(gathered);
}

function problemOf(error: unknown): string {
  if (isHumanError(error)) {
    return error.message;
  }
  const reason = error instanceof Error ? error.message : String(error);
  return `It did not say what it offers: ${printable(reason.slice(0, 500))}`;
}
