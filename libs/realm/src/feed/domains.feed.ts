import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { ClientEvent, Position, Recorded } from '@annals/kernel/domain';
import type { DomainEvent } from '../domain/domain-events';
import { DomainAdded, DomainRemoved, DomainSubdomainsChosen } from '../domain/domain-events';
import { presentDomain } from '../read/domains';

/** The payload of `realm_domains` events. The domain is read from the event of the log. */
type DomainPayload = { readonly op: 'add' | 'change'; readonly allowSubdomains: boolean } | { readonly op: 'remove' };

const domainEvent = (payload: DomainPayload): ClientEvent[] => [
  { type: 'realm_domains', audience: { kind: 'everyone' }, payload: { ...payload } },
];

/** contract/navigation-snippets-domains.md section 3 */
export const domainsFeed = defineFeed({
  name: 'realm-domains',
  translations: [
    translate(DomainAdded, ({ data: { allowSubdomains } }) => domainEvent({ op: 'add', allowSubdomains })),
    translate(DomainSubdomainsChosen, ({ data: { allowSubdomains } }) =>
      domainEvent({ op: 'change', allowSubdomains }),
    ),
    translate(DomainRemoved, () => domainEvent({ op: 'remove' })),
  ],
});

/** By the position of the event that contains it. Erased ones are left out. */
type Names = ReadonlyMap<Position, string>;

export const domainsPresenter = definePresenter<Names>({
  type: 'realm_domains',
  load: async (reader, events) => {
    const stored = (await reader.at(events.map(({ position }) => position))) as readonly Recorded<DomainEvent>[];
    return new Map(
      stored.flatMap(({ position, sealed }) => (sealed === 'erased' ? [] : [[position, sealed.domain] as const])),
    );
  },
  present: ({ position, payload }, names) => {
    const domain = names.get(position);
    if (domain === undefined) return [];
    const event = payload as unknown as DomainPayload;
    if (event.op === 'remove') return [{ type: 'realm_domains', op: event.op, domain }];
    const { op, allowSubdomains } = event;
    return [{ type: 'realm_domains', op, realm_domain: presentDomain({ domain, allowSubdomains }) }];
  },
  variant: () => 'all',
});
