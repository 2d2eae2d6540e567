import { granted } from '../../support/server/caller';
import { createLink, invitationFor, invitationsOf, invite, refusedWith } from '../../support/invitations/invitations';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const MINUTE_MS = 60_000;

let server: TestServer;
let owner: Person;
let administrator: Person;
let moderator: Person;
let member: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  administrator = await server.person({ role: 'administrator' });
  moderator = await server.person({ role: 'moderator' });
  member = await server.person();
});
afterAll(() => server.close());

const someone = () => `invitee${server.next()}@example.com`;
const bad = (msg: string) => refusedWith('BAD_REQUEST', { msg });
const now = () => Math.floor(server.clock.now() / 1000);

describe('POST /invites', () => {
  it('invites several people, each once, and shows who they are to their inviter and to administrators', async () => {
    const [ann, bob] = [someone(), someone()];
    const text = `${ann}, Bob Example <${bob}>\n${ann.toUpperCase()},`;
    granted(await invite(member, text, { invite_expires_in_minutes: 60, notify_referrer_on_join: false }));
    const { id, ...shown } = await invitationFor(member, ann);
    expect(shown).toEqual({
      invited_by_user_id: member.id,
      invited: now(),
      expiry_date: now() + 3_600,
      invited_as: 400,
      email: ann,
      notify_referrer_on_join: false,
      is_multiuse: false,
    });
    expect(await invitationFor(administrator, bob)).toMatchObject({ invited_by_user_id: member.id });
    expect((await invitationFor(owner, ann)).id).toBe(id);
    expect((await invitationsOf(moderator)).map(({ email }) => email)).not.toContain(ann);
  });

  it('lasts ten days by default, and for ever with null', async () => {
    const [ann, bob] = [someone(), someone()];
    granted(await invite(member, ann));
    granted(await invite(member, bob, { invite_expires_in_minutes: null }));
    expect(await invitationFor(member, ann)).toMatchObject({ expiry_date: now() + 864_000 });
    expect(await invitationFor(member, bob)).toMatchObject({ expiry_date: null });
    expect((await invite(member, someone(), { invite_expires_in_minutes: 0 })).status).toBe(400);
  });

  it('invites the others when some have an account, and says who was left out', async () => {
    const gone = await server.person();
    granted(await owner.delete(`/users/${gone.id}`));
    const ann = someone();
    const some = await invite(member, [ann, member.email, gone.email].join(','));
    expect(some).toMatchObject(
      refusedWith('INVITATION_FAILED', {
        errors: [
          [member.email, 'Already has an account.', false],
          [gone.email, 'Account has been deactivated.', true],
        ],
        sent_invitations: true,
        daily_limit_reached: false,
        license_limit_reached: false,
      }),
    );
    expect(await invitationFor(member, ann)).toBeDefined();
    expect(await invite(member, member.email)).toMatchObject(
      refusedWith('INVITATION_FAILED', { sent_invitations: false, errors: [expect.anything()] }),
    );
  });

  it('invites nobody when an address is not valid or not allowed', async () => {
    const ann = someone();
    const before = await invitationsOf(member);
    const mixed = await invite(member, `${ann}, not an address, somebody@mailinator.com, ${member.email}`);
    expect(mixed).toMatchObject(
      refusedWith('INVITATION_FAILED', {
        errors: [
          ['not an address', 'Invalid address.', false],
          ['somebody@mailinator.com', expect.any(String), false],
          [member.email, 'Already has an account.', false],
        ],
        sent_invitations: false,
      }),
    );
    granted(await owner.post('/realm/domains', { domain: 'allowed.example', allow_subdomains: true }));
    granted(await owner.patch('/realm', { emails_restricted_to_domains: true }));
    try {
      expect(await invite(member, 'x@other.example')).toMatchObject(refusedWith('INVITATION_FAILED'));
      expect(await invite(member, 'x+y@allowed.example')).toMatchObject(refusedWith('INVITATION_FAILED'));
      granted(await invite(member, 'x@sub.allowed.example'));
    } finally {
      granted(await owner.patch('/realm', { emails_restricted_to_domains: false }));
    }
    expect(await invitationsOf(member)).toHaveLength(before.length + 1);
  });

  it('refuses an empty list, and the parameters that are missing', async () => {
    expect(await invite(member, '')).toMatchObject(bad('You must specify at least one email address.'));
    expect(await invite(member, ' ,\n')).toMatchObject(bad('You must specify at least one email address.'));
    const missing = { status: 400, body: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'stream_ids' } };
    expect(await member.post('/invites', { invitee_emails: someone() })).toMatchObject(missing);
    expect((await invite(member, someone(), { invite_as: 500 })).status).toBe(400);
  });

  it('lets nothing into the fields of a mail: an address has no newline, and a name no control character', async () => {
    const attack = await invite(member, 'a@example.com\r\nBcc: b@example.com');
    expect(attack).toMatchObject(refusedWith('INVITATION_FAILED', { sent_invitations: false }));
    const ann = someone();
    granted(await invite(member, `Ann\u0007\u2028Bcc <${ann}>`));
    expect(await invitationFor(member, ann)).toBeDefined();
  });
});

describe('DELETE /invites/{invite_id} and POST /invites/{invite_id}/resend', () => {
  it('are for the inviter and for administrators, and of an owner’s invitation for owners', async () => {
    const [ann, boss] = [someone(), someone()];
    granted(await invite(member, ann));
    granted(await invite(owner, boss, { invite_as: 100 }));
    const [one, other] = [await invitationFor(member, ann), await invitationFor(owner, boss)];
    for (const verb of ['post', 'delete'] as const) {
      const path = (id: number) => (verb === 'post' ? `/invites/${id}/resend` : `/invites/${id}`);
      expect(await moderator[verb](path(one.id))).toMatchObject(bad('Must be an organization administrator'));
      expect(await administrator[verb](path(other.id))).toMatchObject(refusedWith('UNAUTHORIZED_PRINCIPAL'));
    }
    const seen = (await invitationsOf(administrator)).map(({ id }) => id);
    expect(seen).toContain(one.id);
    expect(seen).not.toContain(other.id);
    granted(await member.post(`/invites/${one.id}/resend`));
    granted(await administrator.delete(`/invites/${one.id}`));
    granted(await owner.delete(`/invites/${other.id}`));
    expect((await invitationsOf(owner)).map(({ id }) => id)).not.toContain(one.id);
  });

  it('do not know what was revoked, has expired, is a link or never was', async () => {
    const unknown = bad('No such invitation');
    const ann = someone();
    granted(await invite(member, ann, { invite_expires_in_minutes: 1 }));
    const { id } = await invitationFor(member, ann);
    granted(await createLink(owner));
    const links = (await invitationsOf(owner)).filter(({ is_multiuse }) => is_multiuse);
    expect(await owner.delete(`/invites/${links[0]?.id}`)).toMatchObject(unknown);
    expect(await owner.post('/invites/9999/resend')).toMatchObject(unknown);
    server.clock.advance(MINUTE_MS);
    expect(await member.post(`/invites/${id}/resend`)).toMatchObject(unknown);
    expect((await invitationsOf(member)).map((one) => one.id)).not.toContain(id);
    granted(await member.delete(`/invites/${id}`));
    expect(await member.delete(`/invites/${id}`)).toMatchObject(unknown);
  });
});

describe('POST /invites/multiuse and DELETE /invites/multiuse/{invite_id}', () => {
  it('make a link that is shown again, until it is revoked', async () => {
    const { invite_link } = granted(
      await createLink(administrator, { invite_as: 600, invite_expires_in_minutes: null }),
    );
    expect(invite_link).toMatch(/^http:\/\/[^/]+\/join\/[a-z2-7]{24}\/$/);
    const found = (await invitationsOf(owner)).find(({ link_url }) => link_url === invite_link);
    expect(found).toEqual({
      id: expect.any(Number) as number,
      invited_by_user_id: administrator.id,
      invited: now(),
      expiry_date: null,
      invited_as: 600,
      link_url: invite_link,
      is_multiuse: true,
    });
    expect((await invitationsOf(moderator)).map(({ link_url }) => link_url)).not.toContain(invite_link);
    const path = `/invites/multiuse/${found?.id}`;
    expect(await member.delete(path)).toMatchObject(bad('Must be an organization administrator'));
    granted(await owner.delete(path));
    expect(await owner.delete(path)).toMatchObject(bad('Invitation has already been revoked'));
    expect(await owner.delete('/invites/multiuse/9999')).toMatchObject(bad('No such invitation'));
  });
});

describe('a link that makes people owners', () => {
  it('is shown to nobody but owners, so that no administrator becomes one by it', async () => {
    const { invite_link } = granted(await createLink(owner, { invite_as: 100 }));
    const shownTo = async (who: Person) => (await invitationsOf(who)).map(({ link_url }) => link_url);
    expect(await shownTo(owner)).toContain(invite_link);
    expect(await shownTo(administrator)).not.toContain(invite_link);
  });
});

describe('invites_changed', () => {
  it('goes to administrators and to the inviter, once for a request', async () => {
    const [ann, bob] = [someone(), someone()];
    const events = await eventsOf([owner, member, moderator], async () => {
      granted(await invite(member, `${ann},${bob}`));
    });
    expect(events).toEqual([[{ type: 'invites_changed' }], [{ type: 'invites_changed' }], []]);
    const { id } = await invitationFor(member, ann);
    const revoked = await eventsOf([owner, member], async () => void granted(await member.delete(`/invites/${id}`)));
    expect(revoked).toEqual([[{ type: 'invites_changed' }], [{ type: 'invites_changed' }]]);
  });

  async function eventsOf(people: readonly Person[], act: () => Promise<void>) {
    const queues = await Promise.all(people.map((one) => one.register({ event_types: ['invites_changed'] })));
    await act();
    const received = await Promise.all(people.map((one, n) => one.events(queues[n] as never)));
    return received.map((events) => events.map(({ id: _, ...event }) => event));
  }
});

describe('an invitation', () => {
  it('ends with the account of its inviter, for good', async () => {
    const inviter = await server.person();
    const ann = someone();
    granted(await invite(inviter, ann));
    const { id } = await invitationFor(owner, ann);
    granted(await owner.delete(`/users/${inviter.id}`));
    granted(await owner.post(`/users/${inviter.id}/reactivate`));
    expect((await invitationsOf(owner)).map((one) => one.id)).not.toContain(id);
    await server.invitationsEnded();
    expect(await owner.delete(`/invites/${id}`)).toMatchObject(bad('No such invitation'));
  });

  it('is not listed any more when its address has an account, and ends then', async () => {
    const ann = someone();
    granted(await invite(member, ann));
    granted(await owner.post('/users', { email: ann, password: 'a long enough password', full_name: 'Ann' }));
    expect((await invitationsOf(owner)).map(({ email }) => email)).not.toContain(ann);
    await server.invitationsEnded();
    const { rows } = await server.kernel.database.pool.query('SELECT FROM view.invitations WHERE email = $1', [ann]);
    expect(rows).toEqual([]);
  });
});
