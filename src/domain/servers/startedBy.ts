/**
 * The environment variable that marks processes started by the hub or the extension, and all their
 * descendants: `<starter>.<owner>.<process>`. It begins unlike the variables for options, so that
 * the bundled server does not read it as one.
 */
export const startedBy = 'STARTED_BY_MCP_ROOTS';

export type Starter = 'hub' | 'editor';

/** Whether a hub, or a descendant of one, started the process with this environment. */
export function isStartedByHub(env: Readonly<Record<string, string | undefined>>): boolean {
  const starter: Starter = 'hub';
  return env[startedBy]?.startsWith(`${starter}.`) ?? false;
}
