import type { ServerRules } from '../guard/guardRules.ts';
import type { Launch } from '../servers/launch.ts';
import type { ProtocolChoice, RootsRoute } from '../servers/serverDefinition.ts';

/** One server of the hub's configuration. */
export interface HubServer {
  /** As written, and unique. What shows it makes it printable. */
  readonly name: string;
  /** Its texts may hold `${env:NAME}`, `${roots}`, `${rootsJoined:separator}` and `${firstRoot}`. */
  readonly launch: Launch;
  /** Never empty. */
  readonly rootsAs: readonly RootsRoute[];
  readonly protocol: ProtocolChoice;
  /** Whether it starts as soon as there are roots for it, else when it is first used. */
  readonly autoStart: boolean;
  readonly guard: ServerRules;
  /** Of the globs in its rules those that begin with a slash, as they are written. */
  readonly globsFromRoot: readonly string[];
  /** Of all that makes it another process or connection. To be compared, never to be shown. */
  readonly fingerprint: string;
}
