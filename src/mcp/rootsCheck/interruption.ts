/** Why a check does not go on: a person, the server or the clock ended it. */
export class Interruption extends Error {
  readonly kind: 'cancelled' | 'ended' | 'time';

  constructor(kind: Interruption['kind']) {
    super(`The check was interrupted: ${kind}.`);
    this.kind = kind;
  }
}

/** Why the signal was aborted; `undefined` when it was not, or by somebody else. */
export function interruptionOf({ reason }: AbortSignal): Interruption['kind'] | undefined {
  return reason instanceof Interruption ? reason.kind : undefined;
}
