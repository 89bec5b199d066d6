import type { Access } from '../consent/folderAccess.ts';
import type { ServerRules } from '../guard/guardRules.ts';
import type { GuardedScope, GuardMachine } from '../guard/pathJudge.ts';
import type { JsonObject } from '../json.ts';
import type { Sentence } from '../sentence.ts';
import type { ServerDefinition, ServerTerms } from '../servers/serverDefinition.ts';

/**
 * A client's request to a server, with the facts of this moment. If a fact is left out, the rules
 * about the fact do not apply. The called tool is the exception: a rule about tools must refuse
 * a tool that the server has not listed.
 */
export interface Asked {
  readonly method: string;
  /** The name of the tool, prompt or resource, and the arguments. Lists are judged without arguments. */
  readonly params: JsonObject;
  /** The called tool, as its server lists it; `undefined` if the server has not listed the tool. */
  readonly tool?: JsonObject | undefined;
  readonly server?: AskedServer;
  /** The client that asks; left out if the window itself asks, or a hub for its one client. */
  readonly client?: ClientFacts | undefined;
  /** What the check of arguments needs; left out if nothing checks arguments against the roots. */
  readonly guard?: GuardTerms;
}

/** A server of a window, or a server behind a hub. Behind a hub, no user decides on folders. */
export type AskedServer = Pick<UsableFacts, 'definition'> & Partial<UsableFacts>;

/** The facts on a window's server that decide whether clients can use it. */
export interface UsableFacts {
  readonly definition: Pick<ServerDefinition, 'label'> & Partial<ServerTerms>;
  readonly access: Access;
  /** Whether the user agreed to start the server as it is. */
  readonly isLaunchAllowed: boolean;
}

/** A client, and the user's answer on whether it may use the server. */
export interface ClientFacts {
  /** The name that the client gives itself. Nobody checks the name. */
  readonly name: string;
  /** The user's answer; `undefined` if the user has not answered. */
  readonly isAllowed: boolean | undefined;
  /** True if the client is the editor, and the user no longer offers the server to its agents. */
  readonly isWithdrawn: boolean;
  /** The names of the tools that the user turned off for the client, by `foldedName`. */
  readonly hiddenTools?: ReadonlySet<string>;
}

export interface GuardTerms {
  /** The name of the hub's configuration file. */
  readonly file: string;
  /** The server's name in that file. */
  readonly server: string;
  readonly rules: ServerRules;
  /** The current roots. */
  readonly scope: GuardedScope;
  /** Relative paths may start in each of these folders. Each result must be inside the roots. */
  readonly bases: readonly string[];
  readonly machine: GuardMachine;
}

/** The decision on a request. */
export type Verdict =
  /** The request uses nothing of the server and needs no consent. */
  { readonly kind: 'free' } | VerdictOnUse;

/** The decision on a request that uses something of the server. */
type VerdictOnUse =
  | {
      readonly kind: 'passes';
      /** The real paths in the request, at most 20; left out: the paths were not checked. */
      readonly paths?: readonly string[];
    }
  /** The request waits until the user answers whether the client may use the server. */
  | { readonly kind: 'asks' }
  | Refused;

export interface Refused {
  readonly kind: 'refused';
  /** The answer to the client, in whole sentences. */
  readonly why: Sentence;
  /** The path that caused the refusal. */
  readonly path?: string;
  /** The part of `why` that gives the reason, in whole sentences. */
  readonly reason?: string;
}

/** A rule of the gate. `undefined`: the rule does not apply to the request. */
export type Rule = (asked: Asked) => VerdictOnUse | undefined;
