import type { EventDescription } from '@annals/kernel';
import { describeEvent, possessive, thing } from '@annals/kernel';
import { IdentityLinked, IdentityUnlinked, SignedOn } from '../domain/single-sign-on/identity-events';

const linked = describeEvent(IdentityLinked, {
  meaning: 'A person of a provider of single sign-on was linked to the account with their verified address.',
  commands: ['FinishSignOn', 'JoinBySignOn'],
  sentence: (event) => [
    'linked ',
    ...possessive(event, event.data.userId),
    ` account to their identity at ${event.data.issuer}`,
  ],
});

const unlinked = describeEvent(IdentityUnlinked, {
  meaning: 'A provider of single sign-on cannot log an account in any more.',
  commands: ['UnlinkIdentity'],
  sentence: (event) => [
    'unlinked ',
    ...possessive(event, event.data.userId),
    ` account from their identity at ${event.data.issuer}`,
  ],
});

const signedOn = describeEvent(SignedOn, {
  meaning: 'Somebody logged in without a password of this server.',
  commands: ['FinishSignOn', 'JoinBySignOn', 'LogInByToken', 'DevLogIn'],
  sentence: ({ data: { userId, method, provider, as } }) => [
    'logged ',
    thing.user(userId),
    ` in by ${method}${provider === null ? '' : ` (${provider})`}`,
    as === 'key' ? ' with a key for an app' : ' in a browser',
  ],
});

export const singleSignOnDescriptions: readonly EventDescription[] = [linked, unlinked, signedOn];
