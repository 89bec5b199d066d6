import { HumanError } from '../../../domain/errors.ts';
import type { IdleSeats } from './idleSeats.ts';
import type { Seat } from './seat.ts';

/** How many sets of children there may be. */
export const mostSets = 32;
/** The rest is for sessions, which a burst of requests must not lock out. */
const mostOfRequests = 24;

/**
 * Which set has to end before there can be another one; `undefined`: none.
 * @throws {HumanError} when there is none that could.
 */
export function givesWay(
  seats: readonly Seat[],
  idle: Pick<IdleSeats, 'longest'>,
  isForRequest: boolean,
): Seat | undefined {
  const ofRequests = seats.filter(seat => seat.isOfRequest);
  if (isForRequest && ofRequests.length >= mostOfRequests) {
    return idle.longest(seat => seat.isOfRequest) ?? refuse(tooManyRequests, mostOfRequests);
  }
  return seats.length >= mostSets
    ? (idle.longest(() => true) ?? refuse(tooManyClients, mostSets))
    : undefined;
}

function refuse(template: string, most: number): never {
  throw new HumanError(template, String(most));
}

const tooManyRequests =
  'The hub works on {0} requests with different roots already, and on no more at a time. ' +
  'Try again when one of them is answered.';
const tooManyClients =
  'The hub serves {0} clients with different roots already, and no more at a time. ' +
  'Try again when one of them has ended.';
