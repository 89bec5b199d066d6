/**
 * The environment variable that marks processes of the hub or the extension and their descendants:
 * `<starter>.<owner>.<process>`. Its name begins unlike an option's variable, so that the bundled
 * server does not read it as an option.
 */
export const startedBy = 'STARTED_BY_MCP_ROOTS';

export type Starter = 'hub' | 'editor';

/** Whether a hub or its descendant started the process that has this environment. */
export function isStartedByHub(env: Readonly<Record<string, string | undefined>>): boolean {
  const starter: Starter = 'hub';
  return env[startedBy]?.startsWith(`${starter}.`) ?? false;
}
