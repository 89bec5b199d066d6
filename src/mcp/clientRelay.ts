/** A request as the other side sent it. */
export interface RelayedRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Somebody else who answers what a server asks of its client besides roots. */
export interface ClientRelay {
  /** What the server is offered in their name: declared to it as it stands here. */
  readonly capabilities: { readonly elicitation?: object; readonly sampling?: object };
  /**
   * Answers a request of a legacy server; what it throws goes back with its code, message and data.
   * The signal says that nobody waits for the answer any more.
   */
  answer(request: RelayedRequest, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
}

/** The requests that a server may make because of what it was offered. */
export function offeredMethods(relay: ClientRelay | undefined): ReadonlySet<string> {
  const { elicitation, sampling } = relay?.capabilities ?? {};
  return new Set([
    ...(elicitation ? ['elicitation/create'] : []),
    ...(sampling ? ['sampling/createMessage'] : []),
  ]);
}
