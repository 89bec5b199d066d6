/**
 * Makes this a machine for whose processor there is no sandbox, until the returned function is called.
 * Without effect once the ways out of the one that there is were tried.
 */
export function hideSandboxes(): () => void {
  const { arch } = process;
  Object.defineProperty(process, 'arch', { value: 'mips' });
  return () => Object.defineProperty(process, 'arch', { value: arch });
}
