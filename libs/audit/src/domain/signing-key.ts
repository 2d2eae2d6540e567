import type { Aggregate } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { SigningKeyChanged } from './events';

/** The key that signs the checkpoints of a log. Null before the first one. */
export type SigningKey = { readonly verifier: string; readonly installation: string } | null;

/** The one stream of the signing key. Its key is always `signing-key`. */
export const signingKeyAggregate: Aggregate<SigningKey, SigningKeyChanged, 'signing-key'> = {
  stream: (key) => key,
  initial: null,
  evolve: (_, { data: { verifier, installation } }) => ({ verifier, installation }),
};

/** The text that the key before a new one signs. */
export const endorsementText = (verifier: string): string => `This key signs the log from now on:\n${verifier}\n`;

/** Makes a key the one that signs, unless it is already. */
export function changeSigningKey(
  current: SigningKey,
  next: { readonly verifier: string; readonly installation: string; readonly endorsement: string | null },
): SigningKeyChanged[] {
  const isSame = current?.verifier === next.verifier && current.installation === next.installation;
  return isSame ? [] : [fact(SigningKeyChanged, next)];
}
