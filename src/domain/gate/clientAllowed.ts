import { type Sentence, sentence } from '../sentence.ts';
import type { AskedServer, ClientFacts, Rule } from './asked.ts';

/** A client may use a server when the user has allowed that. */
export const clientAllowed: Rule = ({ client, server }) => {
  if (!client || !server || client.isAllowed === true) {
    return undefined;
  }
  return client.isAllowed === undefined
    ? { kind: 'asks' }
    : { kind: 'refused', why: refusalOf(client, server) };
};

function refusalOf(
  { name, isWithdrawn }: ClientFacts,
  { definition: { label } }: AskedServer,
): Sentence {
  return isWithdrawn
    ? sentence('"{0}" is not offered to the agents of the editor any more.', label)
    : sentence('The user does not allow "{0}" to use "{1}".', name, label);
}
