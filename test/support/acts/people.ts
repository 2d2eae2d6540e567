import { Role } from '@annals/kernel/domain';
import fc from 'fast-check';
import { sendPicture, setAvatar } from '../requests/pictures';
import { act } from './act';
import { pick, viewer } from './world';

const which = fc.nat(9);

/** Acts on accounts and bots. */
export const peopleActs = [
  act('role', 6, fc.record({ viewer, role: fc.constantFrom(...Object.values(Role)) }), (world, { viewer, role }) =>
    world.owner.patch(`/users/${world.viewer(viewer).id}`, { role }),
  ),
  act('rename', 1, viewer, (world, viewer) =>
    world.owner.patch(`/users/${world.viewer(viewer).id}`, { full_name: `Viewer ${world.server.next()}` }),
  ),
  act('be seen', 3, fc.record({ viewer, by: fc.constantFrom(1, 2, 3, 4, 5) }), (world, { viewer, by }) =>
    world.viewer(viewer).patch('/settings', { email_address_visibility: by }),
  ),
  act('move', 2, fc.record({ viewer, by: fc.option(fc.constantFrom(1, 2, 3, 4, 5)) }), (world, { viewer, by }) =>
    world.viewer(viewer).patch('/settings', {
      email: `viewer${world.server.next()}@example.com`,
      ...(by !== null && { email_address_visibility: by }),
    }),
  ),
  act('send to', 1, viewer, (world, viewer) =>
    world.owner.patch(`/users/${world.viewer(viewer).id}`, { new_email: `sent${world.server.next()}@example.com` }),
  ),
  act(
    'travel',
    1,
    fc.record({ viewer, timezone: fc.constantFrom('', 'Europe/Berlin') }),
    (world, { viewer, timezone }) => world.viewer(viewer).patch('/settings', { timezone }),
  ),
  act('hide newcomers', 1, fc.constantFrom(1, 2, 3), (world, by) =>
    world.owner.patch('/realm/user_settings_defaults', { email_address_visibility: by }),
  ),
  act('arrive', 1, fc.constant('somebody'), async (world) => world.others.push((await world.server.person()).id)),
  act('leave', 1, which, (world, which) => {
    const [left = 0] = world.others.length === 0 ? [] : world.others.splice(which % world.others.length, 1);
    if (left !== 0) world.deactivated.push(left);
    return world.owner.delete(`/users/${left}`);
  }),
  act('be forgotten', 2, which, (world, which) => {
    const [left = 0] = world.others.length === 0 ? [] : world.others.splice(which % world.others.length, 1);
    return world.owner.delete(`/users/${left}`, { actions: { delete_profile: true } });
  }),
  act('return', 2, which, async (world, which) => {
    const [back = 0] =
      world.deactivated.length === 0 ? [] : world.deactivated.splice(which % world.deactivated.length, 1);
    const { status } = await world.owner.post(`/users/${back}/reactivate`);
    if (status === 200 && !world.bots.includes(back)) world.others.push(back);
  }),
  act('bot', 1, viewer, async (world, viewer) => {
    const made = { full_name: 'Some Bot', short_name: `b${world.server.next()}` };
    const { body } = await world.viewer(viewer).post<{ user_id?: number }>('/bots', made);
    if (body.user_id !== undefined) world.bots.push(body.user_id);
  }),
  act('picture', 1, fc.record({ viewer, own: fc.boolean() }), (world, { viewer, own }) =>
    own ? setAvatar(world.viewer(viewer)) : world.viewer(viewer).delete('/users/me/avatar'),
  ),
  act('give bot', 2, fc.record({ which, to: viewer }), (world, { which, to }) =>
    world.owner.patch(`/bots/${pick(world.bots, which) ?? 0}`, { bot_owner_id: world.viewer(to).id }),
  ),
  act('change bot', 1, fc.record({ which, viewer }), (world, { which, viewer }) =>
    sendPicture(world.viewer(viewer), 'PATCH', `/bots/${pick(world.bots, which) ?? 0}`, {
      fields: { full_name: `Bot ${world.server.next()}` },
    }),
  ),
  act('set bot', 2, fc.record({ which, channel: fc.nat(9), all: fc.boolean() }), async (world, input) => {
    const { body } = await world.owner.get<{ stream?: { name: string } }>(`/streams/${world.channel(input.channel)}`);
    const name = body.stream?.name ?? '';
    return world.owner.patch(`/bots/${pick(world.bots, input.which) ?? 0}`, {
      ...(input.all && { default_sending_stream: name }),
      default_events_register_stream: name,
      default_all_public_streams: input.all,
    });
  }),
  act('prefer', 1, fc.record({ viewer, receives: fc.boolean(), sends: fc.boolean() }), (world, input) =>
    world.viewer(input.viewer).patch('/settings', {
      web_home_view: input.sends ? 'inbox' : 'recent',
      twenty_four_hour_time: input.receives ? true : 'null',
      receives_typing_notifications: input.receives,
      send_stream_typing_notifications: input.sends,
    }),
  ),
  act('end bot', 1, which, (world, which) => {
    const bot = pick(world.bots, which) ?? 0;
    world.deactivated.push(bot);
    return world.owner.delete(`/bots/${bot}`);
  }),
];
