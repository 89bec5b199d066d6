import type { Access } from '../consent/folderAccess.ts';
import type { ServerRules } from '../guard/guardRules.ts';
import type { GuardedScope, GuardMachine } from '../guard/pathJudge.ts';
import type { JsonObject } from '../json.ts';
import type { Sentence } from '../sentence.ts';

/** A client's request to a server, with the facts of this moment. Rules ignore parts left out. */
export interface Asked {
  readonly method: string;
  /** The name of the tool, prompt or resource, and the arguments. */
  readonly params: JsonObject;
  /** The called tool, as its server lists it. */
  readonly tool?: JsonObject | undefined;
  readonly server?: AskedServer;
  /** Left out: the window itself, or the hub's only client. */
  readonly client?: ClientFacts | undefined;
  /** Left out: arguments are not checked against the roots. */
  readonly guard?: GuardTerms;
}

/** A server of a window; or a server behind a hub, which decides on no folders. */
export type AskedServer = Pick<UsableFacts, 'definition'> & Partial<UsableFacts>;

/** The facts on a window's server that decide whether clients can use it. */
export interface UsableFacts {
  readonly definition: { readonly label: string };
  readonly access: Access;
  /** Whether the user agreed to start the server as it is. */
  readonly isLaunchAllowed: boolean;
}

/** A client, and the user's answer on whether it may use the server. */
export interface ClientFacts {
  /** The client's own claim, which nobody checks. */
  readonly name: string;
  /** `undefined` when the user has not answered. */
  readonly isAllowed: boolean | undefined;
  /** The client is the editor, refused because the server is no longer offered to its agents. */
  readonly isWithdrawn: boolean;
}

export interface GuardTerms {
  /** The name of the configuration's file. */
  readonly file: string;
  /** The server's name in this file. */
  readonly server: string;
  readonly rules: ServerRules;
  /** The current roots. */
  readonly scope: GuardedScope;
  /** Where relative paths may start; a path must be inside the roots from every base. */
  readonly bases: readonly string[];
  readonly machine: GuardMachine;
}

/** The decision on a request. */
export type Verdict =
  /** The request uses nothing of the server and needs no consent. */
  | { readonly kind: 'free' }
  | {
      readonly kind: 'passes';
      /** The real paths in the request, at most 20; left out: the paths were not checked. */
      readonly paths?: readonly string[];
    }
  /** It waits for the user's answer on the client. */
  | { readonly kind: 'asks' }
  | Refused;

export interface Refused {
  readonly kind: 'refused';
  /** The answer to the client, in finished sentences. */
  readonly why: Sentence;
  /** The path that caused the refusal. */
  readonly path?: string;
  /** The reason alone, without the rest of the answer, in finished sentences. */
  readonly reason?: string;
}

/** A rule of the gate; `undefined` passes the request on to the next rule. */
export type Rule = (asked: Asked) => Verdict | undefined;
