const starts = [
  'Resolving connection token',
  'Resolved connection token',
  'Creating a socket',
  'Ignoring fetching additional builtin extensions',
  'Updating additional builtin extensions',
  'ChatSessionStore: ',
  'No default agent contributed',
  'Canceled: ',
  '[reconnection-grace-time]',
  '[Service Worker]',
  '[AgentHost:remote]',
  '[AccountPolicyGate]',
];

/** Whether a message is one that the workbench logs at every start, and says nothing of the tests. */
export function isChatter(message: string): boolean {
  return starts.some(start => message.startsWith(start));
}
