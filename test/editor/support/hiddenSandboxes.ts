import promises from 'node:fs/promises';

/**
 * Makes this a machine without what makes sandboxes, until the returned function is called. The
 * extension runs in this process, and looks there at each start.
 */
export function hideSandboxes(): () => void {
  const { stat } = promises;
  Object.assign(promises, {
    stat: (path: string, options?: object) =>
      /\/(?:bwrap|perl)$/.test(String(path))
        ? Promise.reject(new Error('hidden'))
        : stat(path, options),
  });
  return () => Object.assign(promises, { stat });
}
