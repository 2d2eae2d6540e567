import { defineContext } from '@annals/kernel';
import { invitationRoom } from './application/guards';
import { invitationDescriptions } from './audit/invitation.audit';
import {
  InvitationAccepted,
  InvitationEnded,
  InvitationResent,
  InvitationRevoked,
  LinkCreated,
  LinkUsed,
  PersonInvited,
  RegistrationCompleted,
  RegistrationExpired,
  RegistrationRequested,
} from './domain/events';
import { invitationsFeed, invitationsPresenter } from './feed/invitations.feed';
import { invitationsView } from './read/invitations.view';
import { registrationsView } from './read/registrations.view';

export const invitationsContext = defineContext({
  name: 'invitations',
  events: [
    PersonInvited,
    LinkCreated,
    InvitationResent,
    InvitationRevoked,
    InvitationEnded,
    InvitationAccepted,
    LinkUsed,
    RegistrationRequested,
    RegistrationCompleted,
    RegistrationExpired,
  ],
  descriptions: invitationDescriptions,
  guards: [invitationRoom],
  projections: [invitationsView, registrationsView],
  feeds: [invitationsFeed],
  presenters: [invitationsPresenter],
});
