import { steadyNow } from '../../base/clock.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError, inEnglish } from '../../domain/sentence.ts';
import type { RestartPlan } from '../../domain/servers/restarts.ts';
import { type Failure, failureRow, failureSentence } from '../../domain/servers/serverFailure.ts';

/** Why a server does not run, in printable words after the server's name, without a full stop. */
export function failureText(failure: Failure): string {
  const text = printable(inEnglish(failureSentence(failure))).replace(/\.$/, '');
  return [text, failureRow(failure.kind).inHub ?? []].flat().join('. ');
}

/** Says that a server still starts, in words after the server's name, without a full stop. */
export function startingText(mayDownload: boolean): string {
  return mayDownload ? 'is still starting and may be downloading' : 'is still starting';
}

export const askAgain = 'Try again in a moment.';

/** Says when the hub tries a failed server again, as a sentence. Empty: no retry is planned. */
export function planText(plan: RestartPlan, { kind }: Pick<Failure, 'kind'>): string {
  const tried = failureRow(kind).retry === 'call' ? 'calls' : 'starts';
  switch (plan.kind) {
    case 'none':
      return '';
    case 'waiting':
      return `The hub ${tried} the server again in ${secondsUntil(plan.at)} s.`;
    case 'given-up':
      return `The server was ${givenUpText(plan.deaths, kind)}.`;
  }
}

/** Says that the hub gave a server up, in words after "was", without a full stop. */
function givenUpText(failures: number, kind: Failure['kind']): string {
  return `given up after ${failures} ${failureRow(kind).retry === 'call' ? 'attempts' : 'deaths'}`;
}

/** Says when a call may start a server again, after an earlier call could not, as a sentence. */
export function retryText(at: number): string {
  return `In ${secondsUntil(at)} s, a call can start the server again.`;
}

/**
 * An error about a server, in printable text.
 *
 * @param what words after the name of the server, without a full stop.
 * @param more finished sentences.
 */
export function upstreamError(
  server: string,
  what: string,
  ...more: readonly string[]
): HumanError {
  const text = [`The server "${printable(server)}" ${what}.`, ...more].join(' ').trim();
  // Passed as a value, because a template would take a server's braces for placeholders.
  return new HumanError('{0}', text);
}

function secondsUntil(at: number): string {
  return String(Math.max(1, Math.ceil((at - steadyNow()) / 1000)));
}

/** Why a server failed, and whether it was given up, in words after "it", without a full stop. */
export function endText(failure: Failure, plan: RestartPlan): string {
  const end = plan.kind === 'given-up' ? `, ${givenUpText(plan.deaths, failure.kind)}` : '';
  return `${failureText(failure)}${end}`;
}
