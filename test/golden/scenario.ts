import { TopicPolicies } from '@annals/channels';
import { Eraser, stateRestored } from '@annals/kernel';
import type { ChannelId, RealmId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import { ActivityCounter } from '@annals/messages';
import { grantTo } from '@annals/onboarding';
import type { Params } from '../support/server/caller';
import type { ReferenceBouncer } from '../support/push/bouncer';
import { granted } from '../support/server/caller';
import { noOrphanedMessages } from '../support/requests/orphaned-messages';
import { saveDraft } from '../support/requests/personal';
import { addEmoji } from '../support/requests/emoji';
import type { Person } from '../support/server/organization';
import { newDevice, registeredPhone } from '../support/push/push';
import { setAvatar } from '../support/requests/pictures';
import { inMinutes, schedule, scheduledId } from '../support/requests/scheduling';
import { FIELD, FORUM, choices, newField, say } from '../support/requests/profile-fields';
import type { TestServer } from '../support/server/server';
import { botsOfTheServerAct, deliveryIsPosted, webhooksAreAsked } from './bots';
import { channelsChange } from './channels';
import { consumersComeAndGo } from './consumers';
import { directoryComesAndGoes } from './provisioning';
import { SYSTEM, filesComeAndGo, picturesAreShown } from './files';
import { mailsArrive, mailsComeBack } from './mail';
import { peopleAreInvited } from './invitations';
import { domainsComeAndGo, linkifiersComeAndGo, operatorDecides, waysToLogInChange } from './organization';
import {
  appsComeAndGo,
  browsersComeAndGo,
  directoriesAreFollowed,
  emailsAreConfirmed,
  identitiesComeAndGo,
  passwordsAreForgotten,
} from './sign-in';

/** One login more than an account may have keys. */
const LOGINS = 51;

/**
 * Makes every type of event happen, over HTTP wherever that is possible.
 *
 * @param bouncer the push service of the server
 */
export async function everythingHappens(server: TestServer, bouncer: ReferenceBouncer): Promise<void> {
  const { owner } = server;
  const ann = await server.person({ name: 'Ann Example' });
  const guest = await server.person({ name: 'Guy Guest', role: 'guest' });
  const helper = await server.bot(ann, { name: 'Ann’s helper' });
  granted(await setAvatar(ann));
  granted(await owner.patch(`/bots/${helper.id}`, { bot_owner_id: owner.id }));
  const description = 'Where **plans** are made';
  const channel = await server.channel(owner, { name: 'plans', description, subscribers: [owner, ann] });
  const listening = { default_events_register_stream: 'plans', default_all_public_streams: true };
  granted(await owner.patch(`/bots/${helper.id}`, { default_sending_stream: 'plans', ...listening }));
  await channelsChange(owner, channel);
  granted(await owner.patch('/realm', { name: 'Example & Sons', waiting_period_threshold: 3 }));
  await waysToLogInChange(owner);
  await browsersComeAndGo(server);
  await passwordsAreForgotten(server);
  await appsComeAndGo(server);
  await emailsAreConfirmed(server);
  await domainsComeAndGo(owner);
  await linkifiersComeAndGo(owner);
  await peopleArrangeThings(ann);
  await phonesAreRegistered(server, bouncer);
  await mailsComeBack(server);
  granted(await owner.patch(`/users/${guest.id}`, { full_name: 'Guy Example' }));
  await profilesAreFilledIn(owner, ann);
  granted(await addEmoji(ann, 'mascot'));
  granted(await owner.patch('/realm/user_settings_defaults', { color_scheme: 2, twenty_four_hour_time: null }));
  granted(await ann.patch('/settings', { send_stream_typing_notifications: false, timezone: 'Europe/Berlin' }));
  await messagesAreWritten(owner, ann, channel);
  await widgetsAreUsed(owner, ann, channel);
  await topicsAreChosen(server, ann, channel);
  await messagesAreDeleted(server);
  granted(await ann.post('/users/me/alert_words', { alert_words: ['tin', 'cat food'] }));
  granted(await ann.delete('/users/me/alert_words', { alert_words: ['tin'] }));
  granted(await ann.post(`/users/me/muted_users/${owner.id}`));
  granted(await ann.delete(`/users/me/muted_users/${owner.id}`));
  granted(await ann.post('/users/me/status', { status_text: 'Feeding the cat', emoji_name: 'mascot' }));
  granted(await owner.delete('/realm/emoji/mascot'));
  await groupsAreMade(owner, ann);
  await filesComeAndGo(owner);
  await picturesAreShown(server, channel);
  await keysGiveWay(server);
  await identitiesComeAndGo(server, ann);
  await directoriesAreFollowed(server, ann);
  granted(await ann.patch(`/users/me/subscriptions/${channel}`, { property: 'is_muted', value: true }));
  granted(await owner.delete('/users/me/subscriptions', { subscriptions: ['plans'], principals: [ann.id] }));
  granted(await owner.patch(`/users/${guest.id}`, { new_email: 'guy@example.org' }));
  await grantTo(server.kernel, 1 as RealmId, ann.email, { canCreateUsers: true });
  granted(await owner.delete(`/users/${guest.id}`, { deactivation_notification_comment: 'Thank you, Guy!' }));
  granted(await owner.post(`/users/${guest.id}/reactivate`));
  await somebodyIsForgotten(server, channel);
  await draftsAreWritten(ann, guest, channel);
  await thingsComeLater(server, ann, channel);
  await peopleAreInvited(server);
  await channelsFallSilent(server, channel);
  await botsOfTheServerAct(server, ann);
  await webhooksAreAsked(server);
  await deliveryIsPosted(server, ann);
  await mailsArrive(server);
  granted(await owner.get('/audit/events', { subject: `channel:${channel}`, types: ['channels.*'], limit: 2 }));
  await consumersComeAndGo(server);
  await directoryComesAndGoes(server);
  await operatorDecides(server);
  await server.signCheckpoint();
  await stateRestored(server.kernel, 'golden');
}

async function phonesAreRegistered(server: TestServer, bouncer: ReferenceBouncer): Promise<void> {
  const bea = await server.person({ name: 'Bea Example' });
  const token = 'a token of an older app';
  granted(await bea.post('/users/me/android_gcm_reg_id', { token }));
  granted(await bea.delete('/users/me/android_gcm_reg_id', { token }));
  granted(await bea.post('/remove_client_device', { device_id: await newDevice(bea) }));
  const { phone } = await registeredPhone(server, bouncer, bea);
  bouncer.expired.add(phone.token);
  await bea.post('/mobile_push/e2ee/test_notification');
  bouncer.behaviour = { refuses: 'INVALID_BOUNCER_PUBLIC_KEY' };
  await registeredPhone(server, bouncer, bea);
  granted(await bea.post('/users/me/api_key/regenerate'));
}

async function peopleArrangeThings(ann: Person): Promise<void> {
  const fragment = 'narrow/channel/1-plans/topic/spring';
  granted(await ann.post('/navigation_views', { fragment, name: 'Spring', is_pinned: true }));
  granted(await ann.patch(`/navigation_views/${fragment}`, { name: 'This spring', is_pinned: false }));
  granted(await ann.delete(`/navigation_views/${fragment}`));
  const words = { title: 'Thanks', content: 'Thank you **very** much!' };
  const { saved_snippet_id: id } = granted(await ann.post<{ saved_snippet_id: number }>('/saved_snippets', words));
  granted(await ann.patch(`/saved_snippets/${id}`, { title: 'Many thanks' }));
  granted(await ann.delete(`/saved_snippets/${id}`));
}

async function draftsAreWritten(ann: Person, guest: Person, channel: ChannelId): Promise<void> {
  const toChannel = { type: 'stream', to: [channel], topic: 'spring', content: 'Not *yet* finished' };
  const first = await saveDraft(ann, toChannel);
  granted(
    await ann.patch(`/drafts/${first}`, { draft: { type: 'private', to: [guest.id], topic: '', content: 'Hi' } }),
  );
  granted(await ann.delete(`/drafts/${first}`));
  await saveDraft(ann);
  granted(await ann.post('/users/me/onboarding_steps', { onboarding_step: 'intro_resolve_topic' }));
  granted(await ann.patch('/settings', { enable_drafts_synchronization: false }));
}

async function profilesAreFilledIn(owner: Person, ann: Person): Promise<void> {
  const office = await newField(owner, FIELD.dropdown, { name: 'Place', hint: 'where', field_data: choices('a', 'b') });
  const forum = await newField(owner, FIELD.externalAccount, { name: 'Forum', field_data: FORUM });
  const field = `/realm/profile_fields/${office}`;
  granted(await say(ann, { [office]: 'a', [forum]: 'ann' }));
  granted(await say(ann, { [forum]: null }));
  const words = { name: 'Office', hint: 'where you *work*', required: true };
  granted(await owner.patch(field, { ...words, field_data: choices('b', 'c') }));
  const moved = { ...FORUM, url_pattern: 'https://example.org/%(username)s' };
  granted(await owner.patch(`/realm/profile_fields/${forum}`, { field_data: moved }));
  granted(await owner.patch('/realm/profile_fields', { order: [forum, office] }));
  granted(await owner.delete(field));
}

async function messagesAreWritten(owner: Person, ann: Person, channel: ChannelId): Promise<void> {
  const content = `@**Ann Example** and @_*role:members*: see #**plans** and https://example.com`;
  const message = { type: 'channel', to: channel, topic: 'spring', content };
  const { id } = granted(await owner.post<{ id: number }>('/messages', message));
  granted(await owner.patch(`/messages/${id}`, { content: 'never *mind*' }));
  const reactions = `/messages/${id}/reactions`;
  granted(await ann.post(reactions, { emoji_name: 'thumbs_up' }));
  granted(await ann.delete(reactions, { emoji_name: '+1' }));
  granted(await ann.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }));
  granted(await ann.post('/mark_all_as_read'));
  await messagesAreMoved(owner, id, message);
  granted(await ann.post('/messages', { type: 'direct', to: [owner.id], content: 'what?' }));
}

async function widgetsAreUsed(owner: Person, ann: Person, to: ChannelId): Promise<void> {
  const write = async (content: string) =>
    granted(await owner.post<{ id: number }>('/messages', { type: 'channel', to, topic: 'spring', content })).id;
  const change = async (by: Person, message_id: number, content: object) =>
    granted(await by.post('/submessage', { message_id, msg_type: 'widget', content: JSON.stringify(content) }));
  const poll = await write('/poll Who brings *cake*?\nOwner\nnobody');
  await change(ann, poll, { type: 'vote', key: 'canned,1', vote: 1 });
  await change(ann, poll, { type: 'vote', key: 'canned,1', vote: -1 });
  await change(ann, poll, { type: 'new_option', idx: 1, option: 'everybody' });
  await change(owner, poll, { type: 'question', question: 'Who brings a pie?' });
  const list = await write('/todo To be *bought*\nbread: the dark one');
  await change(ann, list, { type: 'new_task', key: 2, task: 'butter', desc: '', completed: false });
  await change(ann, list, { type: 'strike', key: '0,canned' });
  await change(owner, list, { type: 'new_task_list_title', title: 'To be bought today' });
}

async function thingsComeLater(server: TestServer, ann: Person, to: ChannelId): Promise<void> {
  const { owner } = server;
  const soon = { scheduled_delivery_timestamp: inMinutes(server, 5) };
  const message = { to, content: 'see you at **five**', ...soon };
  const id = await scheduledId(schedule(ann, message));
  granted(await ann.patch(`/scheduled_messages/${id}`, { content: 'see you at *six*' }));
  const another = await scheduledId(schedule(ann, { ...message, type: 'direct', to: [owner.id] }));
  granted(await ann.delete(`/scheduled_messages/${another}`));
  const leaver = await server.person({ name: 'Lea Leaver' });
  await scheduledId(schedule(leaver, { ...message, to: [owner.id], type: 'direct' }));
  granted(await leaver.post('/reminders', { note: 'pack', ...soon }));
  granted(await owner.delete(`/users/${leaver.id}`));
  granted(await ann.post('/reminders', { note: 'buy bread', ...soon }));
  const { reminder_id } = granted(await ann.post<{ reminder_id: number }>('/reminders', { note: 'rest' }));
  granted(await ann.delete(`/reminders/${reminder_id}`));
  const question = { type: 'direct', to: [ann.id], content: 'Who feeds the *cat*?' };
  const { id: message_id } = granted(await owner.post<{ id: number }>('/messages', question));
  granted(await ann.post('/reminders', { message_id, note: 'the tin is behind the door' }));
  server.clock.advance(5 * 60_000);
  await server.deliverDue();
}

/** Policies of a topic move with the topic. */
async function topicsAreChosen({ apis, kernel }: TestServer, ann: Person, channelId: ChannelId): Promise<void> {
  granted(await ann.post('/user_topics', { stream_id: channelId, topic: 'Autumn', visibility_policy: 2 }));
  const [from, to] = [
    { channelId, name: 'autumn' },
    { channelId, name: 'winter' },
  ];
  await kernel.work.run(SYSTEM, async (work) =>
    apis[0]?.app.get(TopicPolicies).moved(work, { from, to, targetHadMessages: false }),
  );
}

async function messagesAreDeleted(server: TestServer): Promise<void> {
  const { owner } = server;
  const protects = { invite_only: true, history_public_to_subscribers: false };
  const to = await server.channel(owner, { name: 'attic', ...protects });
  granted(await owner.post('/messages', { type: 'channel', to, topic: 'old things', content: 'dust' }));
  granted(await owner.post('/messages', { type: 'channel', to, topic: 'new things', content: 'shine' }));
  granted(await owner.post(`/streams/${to}/delete_topic`, { topic_name: 'old things' }));
  const types = ['messages.MessagesDeleted'];
  const { events } = granted(await owner.get<{ events: { position: number }[] }>('/audit/events', { types, limit: 1 }));
  granted(await owner.post('/audit/undo', { position: events[0]?.position }));
}

/** A whole topic, and then one message of it. */
async function messagesAreMoved(owner: Person, first: number, message: Params): Promise<void> {
  granted(await owner.patch(`/messages/${first}`, { topic: 'early spring', propagate_mode: 'change_all' }));
  const { id } = granted(await owner.post<{ id: number }>('/messages', { ...message, topic: 'early spring' }));
  granted(await owner.patch(`/messages/${id}`, { topic: 'summer' }));
}

async function groupsAreMade(owner: Person, ann: Person): Promise<void> {
  const made = { name: 'bakers', description: 'Who bake **bread**', members: [ann.id] };
  const { group_id: id } = granted(await owner.post<{ group_id: number }>('/user_groups/create', made));
  const inside = { name: 'night shift', description: '', members: [] };
  const { group_id: part } = granted(await owner.post<{ group_id: number }>('/user_groups/create', inside));
  const group = `/user_groups/${id}`;
  granted(await owner.patch(group, { name: 'cooks', description: 'Who cook', can_join_group: { new: part } }));
  granted(await owner.post(`${group}/members`, { add: [owner.id], delete: [ann.id] }));
  granted(await owner.post(`${group}/subgroups`, { add: [part] }));
  granted(await owner.post(`${group}/subgroups`, { delete: [part] }));
  granted(await owner.post(`${group}/deactivate`));
  granted(await owner.patch(group, { deactivated: false }));
}

/** Half a year without a message, and then one. */
async function channelsFallSilent({ kernel, clock, owner }: TestServer, channel: ChannelId): Promise<void> {
  clock.advance(182 * DAY_MS);
  await new ActivityCounter(kernel).sweep();
  granted(await owner.post('/messages', { type: 'channel', to: channel, topic: 'spring', content: 'again' }));
}

/** With what they wrote, of which nothing is left when the workers are done. */
async function somebodyIsForgotten(server: TestServer, to: ChannelId): Promise<void> {
  const person = await server.person({ name: 'Nobody Anymore' });
  granted(await person.post('/messages', { type: 'channel', to, topic: 'farewell', content: 'forget me' }));
  const actions = { delete_profile: true, delete_public_channel_messages: true };
  granted(await server.owner.delete(`/users/${person.id}`, { actions }));
  await noOrphanedMessages(server.kernel);
  await server.settled();
  await new Eraser(server.kernel, 0).sweep();
}

/** Of somebody who does nothing else, because the key that a spec uses may be among those that end. */
async function keysGiveWay(server: TestServer): Promise<void> {
  const { email, password } = await server.person({ name: 'Kim Keys' });
  const login = () => server.anonymous.post('/fetch_api_key', { username: email, password });
  // All at once would wait for each other, on a slow machine longer than a request may.
  for (let n = 0; n < LOGINS; n++) granted(await login());
}
