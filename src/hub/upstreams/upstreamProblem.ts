import { steadyNow } from '../../base/clock.ts';
import type { HubServer } from '../../domain/hubConfig/hubServer.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError, inEnglish } from '../../domain/sentence.ts';
import { mayDownload } from '../../domain/servers/launch.ts';
import type { RestartPlan } from '../../domain/servers/restarts.ts';
import { type Failure, failureRow, failureSentence } from '../../domain/servers/serverFailure.ts';

/** The reason that a server does not run, to be read after its name: printable, without a full stop. */
export function failureText(failure: Failure): string {
  const text = printable(inEnglish(failureSentence(failure))).replace(/\.$/, '');
  return [text, failureRow(failure.kind).inHub ?? []].flat().join('. ');
}

/** That a server can't be called yet, to be read after its name, without a full stop. */
export function startingText({ launch }: Pick<HubServer, 'launch'>): string {
  return mayDownload(launch) ? 'is still starting, it may be downloading' : 'is still starting';
}

/** When to call a server that is still starting. */
export const askAgain = 'Ask again in a moment.';

/** When a server that does not run is tried again, as a sentence; empty: not planned. */
export function planText(plan: RestartPlan, { kind }: Pick<Failure, 'kind'>): string {
  const tried = failureRow(kind).retry === 'call' ? 'called' : 'started';
  switch (plan.kind) {
    case 'none':
      return '';
    case 'waiting':
      return `It is ${tried} again in ${secondsUntil(plan.at)} s.`;
    case 'given-up':
      return `It was ${givenUpText(plan.deaths, kind)}.`;
  }
}

/** When a server was given up, to be read after its name and "was", without a full stop. */
function givenUpText(failures: number, kind: Failure['kind']): string {
  return `given up after ${failures} ${failureRow(kind).retry === 'call' ? 'attempts' : 'deaths'}`;
}

/** When a call may start a server again that a recent call has started in vain. */
export function retryText(at: number): string {
  return `A call in ${secondsUntil(at)} s or later tries again.`;
}

/**
 * An error on a server, of printable text.
 *
 * @param what to be read after the name of the server, without a full stop.
 * @param more finished sentences.
 */
export function upstreamError(
  server: string,
  what: string,
  ...more: readonly string[]
): HumanError {
  const text = [`The server "${printable(server)}" ${what}.`, ...more].join(' ').trim();
  // As a value: in a template, braces in the words of a server would be taken for placeholders.
  return new HumanError('{0}', text);
}

function secondsUntil(at: number): string {
  return String(Math.max(1, Math.ceil((at - steadyNow()) / 1000)));
}

/** The failure of a server, and whether it was given up, to be read after "it", without a full stop. */
export function endText(failure: Failure, plan: RestartPlan): string {
  const end = plan.kind === 'given-up' ? `, ${givenUpText(plan.deaths, failure.kind)}` : '';
  return `${failureText(failure)}${end}`;
}
