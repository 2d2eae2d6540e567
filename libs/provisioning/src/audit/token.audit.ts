import type { EventDescription } from '@annals/kernel';
import { describeEvent, quoted, wordsOf } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import type { TokenIssued as Issued } from '../domain/tokens/token-events';
import { TokenEnded, TokenIssued } from '../domain/tokens/token-events';

const nameOf = (event: Recorded<Issued>) => wordsOf<{ name: string }, string>(event, ({ name }) => name);

const issued = describeEvent(TokenIssued, {
  meaning: 'A directory may provision accounts and groups with a token.',
  commands: ['IssueToken'],
  sentence: (event) => {
    const { tokenId, rights } = event.data;
    return [`issued the ${rights} SCIM token ${tokenId} `, quoted(nameOf(event), 'with a name')];
  },
  begins: (event) => [
    { property: 'name', after: nameOf(event) },
    { property: 'rights', after: event.data.rights },
    { property: 'expires_at', after: event.data.expiresAt },
  ],
});

const ended = describeEvent(TokenEnded, {
  meaning: 'A token of a directory is not valid any more.',
  commands: ['EndToken'],
  sentence: ({ data }) => [`ended SCIM token ${data.tokenId}`],
});

export const tokenDescriptions: readonly EventDescription[] = [issued, ended];
