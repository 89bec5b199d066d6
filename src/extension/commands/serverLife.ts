import type { Toasts } from '../consent/toasts.ts';
import type { Clients } from '../gateway/clients.ts';
import { Command } from '../ids.ts';
import type { Logs } from '../logs.ts';
import type { ServerMemory } from '../servers/serverMemory.ts';
import type { Servers } from '../servers/servers.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import type { ServerKeeping } from './adding/writeServers.ts';

/** The objects of a window that the definition of a server concerns. */
export interface LifeWindow {
  readonly servers: Servers;
  readonly clients: Pick<Clients, 'of'>;
  readonly keeping: ServerKeeping;
  readonly memory: ServerMemory;
  readonly sandbox: SandboxSource;
  readonly logs: Pick<Logs, 'forget'>;
  readonly view: { reveal(serverId: string): Promise<void> };
  readonly toasts: Toasts;
}

/** The commands that write definitions of servers to the settings. */
export const lifeCommands = [
  Command.addServer,
  Command.importServers,
  Command.editServer,
  Command.renameServer,
  Command.removeServer,
] as const;

export type LifeCommand = (typeof lifeCommands)[number];
