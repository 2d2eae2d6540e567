import { defineFeed, definePresenter } from '@annals/kernel';
import type { ClientEvent, Recorded } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import type { InvitationEvent } from '../domain/events';
import { InvitationAccepted, InvitationEnded, InvitationRevoked, LinkCreated, PersonInvited } from '../domain/events';

/** Events after which other invitations are open than before. */
const CHANGES = [PersonInvited, LinkCreated, InvitationRevoked, InvitationEnded, InvitationAccepted] as const;
const TYPES: ReadonlySet<string> = new Set(CHANGES.map(({ type }) => type));

const isChange = (event: Recorded): event is Recorded<InvitationEvent> => TYPES.has(event.type);

/** One client event for an append: to administrators, and to the inviters of its invitations. */
function changed(event: Recorded, append: readonly Recorded[]): ClientEvent[] {
  const changes = append.filter(isChange);
  if (changes[0]?.position !== event.position) return [];
  const users = [...new Set(changes.map(({ data }) => data.inviterId))];
  const audience = {
    kind: 'any',
    of: [
      { kind: 'roles', atMost: Role.administrator },
      { kind: 'users', users },
    ],
  } as const;
  return [{ type: 'invites_changed', audience, payload: {} }];
}

/** contract/realtime.md section 4: clients fetch the invitations again. */
export const invitationsFeed = defineFeed({
  name: 'invitations',
  translations: CHANGES.map((definition) => ({
    type: definition.type,
    translate: (event: Recorded, _: null, append: readonly Recorded[]) => changed(event, append),
  })),
});

export const invitationsPresenter = definePresenter<null>({
  type: 'invites_changed',
  load: () => Promise.resolve(null),
  present: () => [{ type: 'invites_changed' }],
  variant: () => 'all',
});
