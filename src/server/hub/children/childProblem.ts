import { HumanError } from '../../../domain/errors.ts';
import type { HubServer } from '../../../domain/hub/hubServer.ts';
import { printable } from '../../../domain/printable.ts';
import { inEnglish } from '../../../domain/sentence.ts';
import { failureSentence } from '../../../domain/servers/failureSentence.ts';
import { mayDownload } from '../../../domain/servers/launch.ts';
import type { RestartPlan } from '../../../domain/servers/restarts.ts';
import type { Failure } from '../../../mcp/failure.ts';

/** Why a server does not run, to be read after its name: printable, and without a full stop. */
export function failureText(failure: Failure): string {
  const text = printable(inEnglish(failureSentence(failure))).replace(/\.$/, '');
  return failure.kind === 'unauthorized' ? `${text}. ${tokenAdvice}` : text;
}

const tokenAdvice =
  'The hub cannot sign in by itself: put a header with a token into the configuration';

/** That a server can't be called yet, to be read after its name, without a full stop. */
export function startingText({ launch }: Pick<HubServer, 'launch'>): string {
  return mayDownload(launch) ? 'is still starting, it may be downloading' : 'is still starting';
}

/** When to call a server that is still starting. */
export const askAgain = 'Ask again in a moment.';

/** What is going to become of a server that does not run, as a sentence; empty: nothing by itself. */
export function planText(plan: RestartPlan, { kind }: Pick<Failure, 'kind'>): string {
  switch (plan.kind) {
    case 'none':
      return '';
    case 'waiting':
      return `It is ${isAway(kind) ? 'called' : 'started'} again in ${secondsUntil(plan.at)} s.`;
    case 'given-up':
      return `It was ${givenUpText(plan.deaths, kind)}.`;
  }
}

/** When a server was given up, to be read after its name and "was", without a full stop. */
export function givenUpText(failures: number, kind: Failure['kind']): string {
  return `given up after ${failures} ${isAway(kind) ? 'attempts' : 'deaths'}`;
}

/** Whether it is a server that the hub does not run, but reaches over HTTP. */
function isAway(kind: Failure['kind']): boolean {
  return kind === 'unreachable' || kind === 'lost' || kind === 'unauthorized';
}

/** When a call may try again what a recent call has tried in vain. */
export function retryText(at: number): string {
  return `A call in ${secondsUntil(at)} s or later tries again.`;
}

/**
 * An error on a server, of printable text.
 *
 * @param what to be read after its name, without a full stop.
 * @param more finished sentences.
 */
export function childError(server: string, what: string, ...more: readonly string[]): HumanError {
  const text = [`The server "${printable(server)}" ${what}.`, ...more].join(' ').trim();
  // As a value, because in a template what a server says could be taken for a hole.
  return new HumanError('{0}', text);
}

function secondsUntil(at: number): string {
  return String(Math.max(1, Math.ceil((at - Date.now()) / 1000)));
}
