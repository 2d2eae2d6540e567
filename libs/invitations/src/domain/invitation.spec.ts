import type { Instant, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { given, recorded } from '../../../../test/support/events/recorded-events';
import type { InvitationEvent, InvitationId } from './events';
import type { InvitationOffer } from './offer';
import { accept, createLink, end, invitationAggregate, invite, isOpen, resend, revoke } from './invitation';
import { isSettled, mayOffer } from './policies';

const ID = 7 as InvitationId;
const NOW = 1_000_000 as Instant;
const LATER = (NOW + 1) as Instant;
const ann = { userId: 3 as UserId, role: Role.member };
const administrator = { userId: 4 as UserId, role: Role.administrator };
const owner = { userId: 5 as UserId, role: Role.owner };
const stranger = { userId: 6 as UserId, role: Role.moderator };

const offer: InvitationOffer = {
  role: Role.member,
  channelIds: [],
  withDefaultChannels: true,
  groupIds: [],
  welcomeText: null,
  expiresAt: LATER,
};
const invitee = { email: 'bob@example.com', fullName: 'Bob' };

const invited = (more: Partial<InvitationOffer> = {}) =>
  invite(ID, invitee, { ...offer, ...more, notifiesInviter: true }, ann);
const linked = () => createLink(ID, { ...offer, role: Role.guest }, ann);
const after = (...facts: readonly InvitationEvent[]) => given(invitationAggregate, ...facts);

describe('an invitation', () => {
  it('has what was offered, each channel and group once', () => {
    const [fact] = invite(ID, invitee, { ...offer, channelIds: [9, 8, 9] as never, notifiesInviter: false }, ann);
    expect(fact).toMatchObject({
      data: { invitationId: ID, inviterId: ann.userId, channelIds: [8, 9], expiresAt: LATER, notifiesInviter: false },
      sealed: { ...invitee, welcomeText: null },
    });
  });

  it('is open until it ends or its time is over', () => {
    const state = after(...invited());
    expect(state && [isOpen(state, NOW), isOpen(state, LATER)]).toEqual([true, false]);
    expect(after(...invited({ expiresAt: null }), ...end(state, 'inviter'))?.end).toBe('inviter');
    expect(end(after(...invited(), ...end(state, 'expired')), 'joined')).toEqual([]);
  });

  it('lets one person join, and a link any number of people', () => {
    const userId = 20 as UserId;
    const state = after(...invited());
    const accepted = accept(state, userId, NOW);
    expect(accepted).toMatchObject([{ type: 'invitations.InvitationAccepted', data: { userId } }]);
    expect(() => accept(after(...invited(), ...accepted), userId, NOW)).toThrow('not valid any more');
    const used = accept(after(...linked()), userId, NOW);
    expect(used).toMatchObject([{ type: 'invitations.LinkUsed' }]);
    expect(accept(after(...linked(), ...used), userId, NOW)).toHaveLength(1);
  });

  it.each([
    ['was never made', null, NOW],
    ['is over', after(...invited()), LATER],
    ['was revoked', after(...invited(), ...revoke(after(...invited()), ann, false)), NOW],
  ])('lets nobody join when it %s', (_, state, at) => {
    expect(() => accept(state, 20 as UserId, at)).toThrow('not valid any more');
  });

  it('is revoked and sent again by its inviter and by administrators', () => {
    const state = after(...invited());
    for (const actor of [ann, administrator, owner]) {
      expect(revoke(state, actor, false)).toHaveLength(1);
      expect(resend(state, actor, NOW)).toHaveLength(1);
    }
    expect(() => revoke(state, stranger, false)).toThrow('Must be an organization administrator');
    expect(() => resend(state, stranger, NOW)).toThrow('Must be an organization administrator');
    const ofOwner = after(...invite(ID, invitee, { ...offer, role: Role.owner, notifiesInviter: true }, owner));
    expect(() => revoke(ofOwner, administrator, false)).toThrow('Must be an organization owner');
  });

  it('is not mistaken for a link, nor a link for it', () => {
    expect(() => revoke(after(...invited()), owner, true)).toThrow('No such invitation');
    expect(() => revoke(after(...linked()), owner, false)).toThrow('No such invitation');
    expect(() => resend(after(...linked()), owner, NOW)).toThrow('No such invitation');
  });

  it('has no address and no text once these were erased', () => {
    const [fact] = invited({ welcomeText: 'Hi' });
    if (!fact) throw new Error('nobody was invited');
    const erased = { ...recorded(fact), sealed: 'erased' as const };
    expect(invitationAggregate.evolve(null, erased)).toMatchObject({ email: null, fullName: null, welcomeText: null });
  });
});

describe('who may offer what', () => {
  it.each([
    [Role.owner, owner, true],
    [Role.owner, administrator, false],
    [Role.administrator, administrator, true],
    [Role.moderator, stranger, false],
    [Role.member, ann, true],
    [Role.guest, ann, true],
  ])('role %i', (role, actor, isAllowed) => {
    expect(mayOffer({ role, welcomeText: null }, actor).allowed).toBe(isAllowed);
  });

  it('a welcome text, also an empty one: administrators', () => {
    expect(mayOffer({ role: Role.member, welcomeText: '' }, ann).allowed).toBe(false);
    expect(mayOffer({ role: Role.member, welcomeText: '' }, administrator).allowed).toBe(true);
  });

  it('where everybody may join: members of three days, and administrators', () => {
    const joined = (days: number) => (NOW - days * 86_400_000) as Instant;
    expect([isSettled(ann, joined(2.9), NOW), isSettled(ann, joined(3), NOW)]).toEqual([false, true]);
    expect(isSettled(administrator, joined(0), NOW)).toBe(true);
  });
});
