import type { EventDescription } from '@annals/kernel';
import { describeEvent, quoted, wordsOf } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import type { DomainEvent } from '../domain/domain-events';
import { DomainAdded, DomainRemoved, DomainSubdomainsChosen } from '../domain/domain-events';

const nameOf = (event: Recorded<DomainEvent>) =>
  quoted(
    wordsOf(event, ({ domain }) => domain),
    'an email domain',
  );

const added = describeEvent(DomainAdded, {
  meaning: 'Email addresses of a domain are allowed.',
  commands: ['AddDomain'],
  sentence: (event) => [
    'allowed email addresses of ',
    nameOf(event),
    event.data.allowSubdomains ? ' and its subdomains' : '',
  ],
  begins: ({ data }) => [{ property: 'allow_subdomains', of: data.domainId, after: data.allowSubdomains }],
});

const subdomainsChosen = describeEvent(DomainSubdomainsChosen, {
  meaning: 'It was chosen whether email addresses of the subdomains of a domain are allowed.',
  commands: ['ChooseSubdomains'],
  sentence: (event) => [
    event.data.allowSubdomains ? 'allowed' : 'no longer allowed',
    ' email addresses of subdomains of ',
    nameOf(event),
  ],
  changes: ({ data }) => [{ property: 'allow_subdomains', of: data.domainId, after: data.allowSubdomains }],
});

const removed = describeEvent(DomainRemoved, {
  meaning: 'Email addresses of a domain are not allowed any more. Accounts keep theirs.',
  commands: ['RemoveDomain'],
  sentence: (event) => ['no longer allowed email addresses of ', nameOf(event)],
});

export const domainDescriptions: readonly EventDescription[] = [added, subdomainsChosen, removed];
