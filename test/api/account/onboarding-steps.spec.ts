import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startWithUsers } from '../../support/server/start-with-users';

let server: TestServer;
let member: Person;
let other: Person;
let guest: Person;
beforeAll(async () => ({ server, member, other, guest } = await startWithUsers()));
afterAll(() => server.close());

const registered = async (by: Person) => {
  const { onboarding_steps, navigation_tour_video_url } = await by.register({
    fetch_event_types: ['onboarding_steps'],
  });
  expect(navigation_tour_video_url).toBeNull();
  return onboarding_steps as readonly { type: string; name: string }[];
};
const see = (by: Person, onboarding_step: string) => by.post('/users/me/onboarding_steps', { onboarding_step });

describe('POST /users/me/onboarding_steps', () => {
  it('removes a step for the own clients', async () => {
    const before = await registered(member);
    expect(before).toContainEqual({ type: 'one_time_notice', name: 'intro_inbox_view_modal' });
    const received: unknown[] = [];
    const act = async () => void granted(await see(member, 'intro_inbox_view_modal'));
    const others = await other.receive(async () => void received.push(...(await member.receive(act))));
    const left = before.filter(({ name }) => name !== 'intro_inbox_view_modal');
    const event = { id: expect.any(Number) as number, type: 'onboarding_steps', onboarding_steps: left };
    expect(received).toEqual([event]);
    expect(others).toEqual([]);
    expect(await registered(member)).toEqual(left);
    expect(await registered(other)).toEqual(before);
    expect(await member.receive(act)).toEqual([]);
  });

  it('is allowed to people, for steps that exist', async () => {
    granted(await see(guest, 'visibility_policy_banner'));
    const unknown = { status: 400, body: { code: 'BAD_REQUEST', msg: 'Unknown onboarding_step: tour' } };
    expect(await see(guest, 'tour')).toMatchObject(unknown);
    expect(await see(await server.bot(member), 'visibility_policy_banner')).toMatchObject({ status: 400 });
    expect(await server.anonymous.post('/users/me/onboarding_steps', {})).toMatchObject({ status: 401 });
    await server.ensureLaws();
  });
});
