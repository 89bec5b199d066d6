/**
 * Whether a scheme is one of those that name a host in their URLs, so that what follows them is
 * nobody's relative path. Of several, as in `git+https`, each has to be one.
 */
export function isRemoteScheme(scheme: string): boolean {
  const isKnown = (part: string) => remoteSchemes.has(part);
  return isKnown(scheme) || scheme.toLowerCase().split('+').every(isKnown);
}

const remoteSchemes: ReadonlySet<string> = new Set([
  ...['http', 'https', 'ws', 'wss', 'ftp', 'ftps', 'sftp', 'ssh', 'git', 'svn', 'hg', 's3', 'gs'],
  ...['redis', 'rediss', 'postgres', 'postgresql', 'mysql', 'mariadb', 'mongodb', 'srv'],
  ...['amqp', 'amqps', 'tcp', 'udp', 'docker'],
]);
