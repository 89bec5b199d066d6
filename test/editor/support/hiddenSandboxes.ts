import promises from 'node:fs/promises';

/**
 * Makes this a machine without what makes sandboxes, until the returned function is called. The
 * extension runs in this process, and looks there at each start.
 */
export function hideSandboxes(): () => void {
  const { access } = promises;
  Object.assign(promises, {
    access: (path: string, mode?: number) =>
      path.endsWith('/bwrap') ? Promise.reject(new Error('hidden')) : access(path, mode),
  });
  return () => Object.assign(promises, { access });
}
