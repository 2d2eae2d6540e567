import type { UserId } from '@annals/kernel/domain';
import { MailedTokens } from '@annals/users';
import { PNG } from '../requests/emoji';
import { Browser } from '../server/browser';
import { quiet } from './quiet';
import type { Request, Told } from './twin';
import { PASSWORD, Twin } from './twin';
import type { TestServer } from '../server/server';

/** Words of the twins, which nothing else has. They are their subdomains. */
export const WORDS = ['aspenwood', 'birchbark'] as const;

const pictured: Pick<Request, 'file'> = { file: { name: 'picture.png', bytes: new Uint8Array(PNG) } };

/** Two organizations of a server with the same history. @throws Error when an id of one is not that of the other */
export async function twinsOf(server: TestServer): Promise<readonly [Twin, Twin]> {
  const twins: Twin[] = [];
  for (const word of WORDS) {
    const twin = await Twin.at(server, word);
    await live(twin);
    twins.push(twin);
  }
  await quiet(server);
  await server.signCheckpoint();
  await server.makeThumbnails();
  for (const twin of twins) await isQuiet(twin);
  const [one, other] = twins as [Twin, Twin];
  const [ours, theirs] = [JSON.stringify(one.ids), JSON.stringify(other.ids)];
  if (ours !== theirs) throw new Error(`the twins differ: ${ours} and ${theirs}`);
  return [one, other];
}

/** Notes what is there when everything has been done: tokens of mails, the size of the tree that is signed, and where the log ends. */
async function isQuiet(twin: Twin): Promise<void> {
  const { names, ids } = twin;
  const tokens = new MailedTokens(twin.server.kernel);
  for (const link of ['email-change', 'password-reset'] as const)
    names[link] = (await tokens.of(twin.id, link, ids['ann'] as UserId)) ?? '';
  const checkpoint = await twin.ask('owner', 'GET', '/api/v1/audit/checkpoint');
  twin.ids['size'] = Number(checkpoint.text.split('\n')[1]);
  const { rows } = await twin.server.kernel.database.pool.query<{ topic: number; head: number }>(
    `SELECT max(t.topic_id) AS topic, h.position AS head FROM view.topics AS t
     JOIN realm_heads AS h ON h.realm_id = t.realm_id WHERE t.realm_id = $1 GROUP BY h.position`,
    [twin.id],
  );
  Object.assign(twin.ids, rows[0]);
}

async function live(twin: Twin): Promise<void> {
  await peopleCome(twin);
  await channelsAreMade(twin);
  await textsAreWritten(twin);
  await thingsAreArranged(twin);
  await programsFollow(twin);
  await doorsAreOpen(twin);
}

const numberIn = (body: Told['body'], field: string): number => Number(body[field]);
const textIn = (body: Told['body'], field: string): string => String(body[field]);

async function logIn(twin: Twin, by: 'owner' | 'ann', email: string): Promise<void> {
  const body = await twin.did('nobody', 'POST', '/fetch_api_key', { username: email, password: PASSWORD });
  twin.credentials.set(by, { email, key: textIn(body, 'api_key') });
}

async function peopleCome(twin: Twin): Promise<void> {
  const { word, ids } = twin;
  const email = `ann@${word}.example.com`;
  const account = { email, password: PASSWORD, full_name: `Ann ${word}` };
  ids['ann'] = numberIn(await twin.did('owner', 'POST', '/users', account), 'user_id');
  const leaver = { email: `lea@${word}.example.com`, password: PASSWORD, full_name: `Lea ${word}` };
  ids['leaver'] = numberIn(await twin.did('owner', 'POST', '/users', leaver), 'user_id');
  await twin.did('owner', 'DELETE', `/users/${ids['leaver']}`);
  await logIn(twin, 'ann', email);
  const me = await twin.did('owner', 'GET', '/users/me');
  ids['owner'] = numberIn(me, 'user_id');
  for (const [by, type] of [
    ['helper', 1],
    ['hook', 2],
  ] as const) {
    const bot = { full_name: `${by} ${word}`, short_name: `${by}-${word}`, bot_type: type };
    const body = await twin.did('owner', 'POST', '/bots', bot);
    ids[by] = numberIn(body, 'user_id');
    const { user } = await twin.did('owner', 'GET', `/users/${ids[by]}`);
    twin.credentials.set(by, { email: (user as { email: string }).email, key: textIn(body, 'api_key') });
  }
  await twin.browser.fill('/login', { username: `owner@${word}.example.com`, password: PASSWORD });
  const { sessions } = await twin.did('owner', 'GET', '/users/me/sessions');
  ids['session'] = (sessions as { id: number }[])[0]?.id ?? 0;
  // Another key than that of the requests.
  await twin.did('nobody', 'POST', '/fetch_api_key', { username: `owner@${word}.example.com`, password: PASSWORD });
  const { api_keys } = await twin.did('owner', 'GET', '/users/me/api_keys');
  ids['key'] = Math.max(...(api_keys as { id: number }[]).map(({ id }) => id));
}

async function channelsAreMade(twin: Twin): Promise<void> {
  const { word, ids } = twin;
  const folder = { name: `Folder ${word}`, description: word };
  ids['folder'] = numberIn(await twin.did('owner', 'POST', '/channel_folders/create', folder), 'channel_folder_id');
  const channel = { name: word, description: word, subscribers: [ids['owner'], ids['ann']], folder_id: ids['folder'] };
  ids['channel'] = numberIn(await twin.did('owner', 'POST', '/channels/create', channel), 'id');
  const hidden = { name: `hidden ${word}`, invite_only: true, subscribers: [ids['ann']] };
  ids['hidden'] = numberIn(await twin.did('ann', 'POST', '/channels/create', hidden), 'id');
  const group = { name: word, description: word, members: [ids['ann'], ids['owner']] };
  ids['group'] = numberIn(await twin.did('owner', 'POST', '/user_groups/create', group), 'group_id');
  await twin.did('owner', 'POST', '/default_stream_groups/create', {
    group_name: `Default ${word}`,
    description: word,
    stream_names: [],
  });
  const state = await twin.did('owner', 'POST', '/register', { fetch_event_types: ['default_stream_groups'] });
  const groups = state['realm_default_stream_groups'] as { id: number }[];
  ids['defaultGroup'] = groups[0]?.id ?? 0;
}

async function textsAreWritten(twin: Twin): Promise<void> {
  const { word, ids, names } = twin;
  const file = { file: { name: `${word}.txt`, bytes: new TextEncoder().encode(`the file of ${word}`) } };
  names['upload'] = textIn(await twin.did('owner', 'POST', '/user_uploads', file), 'url');
  const photo = { file: { name: `${word}.png`, bytes: new Uint8Array(PNG) } };
  names['image'] = textIn(await twin.did('owner', 'POST', '/user_uploads', photo), 'url');
  names['temporary'] = textIn(await twin.did('owner', 'GET', names['upload'].replace('/api/v1', '')), 'url');
  const { attachments } = await twin.did('owner', 'GET', '/attachments');
  ids['attachment'] = Math.min(...(attachments as { id: number }[]).map(({ id }) => id));
  await twin.did('owner', 'POST', `/realm/emoji/${word}`, pictured);
  const send = async (by: 'owner' | 'ann', message: object) =>
    numberIn(await twin.did(by, 'POST', '/messages', { form: { ...message } }), 'id');
  const place = { type: 'channel', to: ids['channel'], topic: word };
  const content = `${word} @**Ann ${word}** :${word}: [file](${names['upload']}) https://${word}.example.com/`;
  ids['message'] = await send('owner', { ...place, content });
  ids['poll'] = await send('owner', { ...place, content: `/poll ${word}?\n${word}` });
  ids['direct'] = await send('ann', { type: 'direct', to: [ids['owner']], content: `secret ${word}` });
  ids['unseen'] = await send('ann', { type: 'channel', to: ids['hidden'], topic: word, content: `hidden ${word}` });
  ids['doomed'] = await send('owner', { ...place, content: `doomed ${word}` });
  await twin.did('ann', 'POST', `/messages/${ids['message']}/reactions`, { emoji_name: word });
  await twin.did('owner', 'PATCH', `/messages/${ids['poll']}`, { topic: `moved ${word}` });
}

async function thingsAreArranged(twin: Twin): Promise<void> {
  const { word, ids, names } = twin;
  const made = async (name: string, path: string, form: object, field = 'id') => {
    ids[name] = numberIn(await twin.did('owner', 'POST', path, { form: { ...form } }), field);
  };
  const later = { scheduled_delivery_timestamp: Math.floor(twin.server.clock.now() / 1000) + 3_600 };
  const scheduled = { type: 'channel', to: ids['channel'], topic: word, content: `later ${word}`, ...later };
  await made('scheduled', '/scheduled_messages', scheduled, 'scheduled_message_id');
  await made('reminder', '/reminders', { message_id: ids['message'], note: word, ...later }, 'reminder_id');
  await made('snippet', '/saved_snippets', { title: word, content: word }, 'saved_snippet_id');
  const draft = { type: 'stream', to: [ids['channel']], topic: word, content: `draft ${word}` };
  const { ids: drafts } = await twin.did('owner', 'POST', '/drafts', { drafts: [draft] });
  ids['draft'] = (drafts as number[])[0] ?? 0;
  await made('linkifier', '/realm/filters', {
    pattern: `${word}(?P<id>[0-9]+)`,
    url_template: `https://${word}.example.com/{id}`,
  });
  const playground = { name: word, pygments_language: 'Python', url_template: `https://${word}.example.com/{code}` };
  await made('playground', '/realm/playgrounds', playground);
  await made('field', '/realm/profile_fields', { name: `Field ${word}`, hint: word, field_type: 1 });
  await twin.did('owner', 'PATCH', '/users/me/profile_data', { data: [{ id: ids['field'], value: word }] });
  names['domain'] = `${word}.example.org`;
  await twin.did('owner', 'POST', '/realm/domains', { domain: names['domain'], allow_subdomains: false });
  names['fragment'] = `narrow/channel/${word}`;
  await twin.did('owner', 'POST', '/navigation_views', { fragment: names['fragment'], name: word, is_pinned: true });
  await twin.did('owner', 'POST', '/users/me/alert_words', { alert_words: [word] });
  await twin.did('owner', 'POST', '/users/me/status', { status_text: word, emoji_name: word });
  await twin.did('owner', 'POST', '/user_topics', { stream_id: ids['channel'], topic: word, visibility_policy: 3 });
  names['avatar'] = textIn(await twin.did('owner', 'POST', '/users/me/avatar', pictured), 'avatar_url');
  names['icon'] = textIn(await twin.did('owner', 'POST', '/realm/icon', pictured), 'icon_url');
  const { emoji } = await twin.did('owner', 'GET', '/realm/emoji');
  names['emoji'] = Object.values(emoji as Record<string, { source_url: string }>)[0]?.source_url ?? '';
  await twin.did('owner', 'POST', '/users/me/presence', { status: 'active' });
  await twin.did('owner', 'PATCH', '/realm', { name: `The ${word}`, description: word });
}

async function programsFollow(twin: Twin): Promise<void> {
  const { word, ids, names } = twin;
  names['consumer'] = word;
  const consumer = { name: word, view: 'domain', from: 'beginning' };
  await twin.did('owner', 'POST', '/feed/consumers', consumer);
  const pulled = await twin.did('owner', 'GET', `/feed/consumers/${word}/events`, { limit: 1 });
  const [event] = pulled['events'] as { id: string }[];
  await twin.did('owner', 'POST', `/feed/consumers/${word}/nack`, { id: event?.id, action: 'park' });
  const hook = `${word}-hook`;
  await twin.did('owner', 'POST', '/feed/consumers', { ...consumer, name: hook, from: 'now' });
  await twin.did('owner', 'PATCH', `/feed/consumers/${hook}`, { paused: true });
  await twin.did('owner', 'PUT', `/feed/consumers/${hook}/webhook`, { url: `https://${word}.example.com/hook` });
  await twin.did('helper', 'PUT', '/bot_storage', { storage: { memory: word } });
  const { token } = await twin.did('owner', 'POST', '/provisioning/tokens', { name: `Okta ${word}` });
  twin.credentials.set('directory', { email: '', key: String(token) });
  const { tokens } = await twin.did('owner', 'GET', '/provisioning/tokens');
  ids['token'] = (tokens as { id: number }[])[0]?.id ?? 0;
  const provisioned = async (path: string, json: object) => {
    const told = await twin.ask('directory', 'POST', `/scim/v2${path}`, { json, headers: SCIM });
    if (told.status !== 201) throw new Error(`${path}: ${told.text}`);
    return Number(told.body['id']);
  };
  const person = { userName: `pat@${word}.example.com`, externalId: word, name: { formatted: `Pat ${word}` } };
  ids['provisioned'] = await provisioned('/Users', person);
  const group = { displayName: `Provisioned ${word}`, externalId: word, members: [{ value: `${ids['provisioned']}` }] };
  ids['provisionedGroup'] = await provisioned('/Groups', group);
  ids['device'] = numberIn(await twin.did('owner', 'POST', '/register_client_device'), 'device_id');
}

const SCIM = { 'content-type': 'application/scim+json' };

/** Links with which somebody gets in, and mails with links. */
async function doorsAreOpen(twin: Twin): Promise<void> {
  const { word, ids, names } = twin;
  const linked = await twin.did('owner', 'POST', '/invites/multiuse', { invite_expires_in_minutes: null });
  names['link'] = textIn(linked, 'invite_link');
  const guest = `gus@${word}.example.com`;
  await twin.did('owner', 'POST', '/invites', { invitee_emails: guest, stream_ids: [ids['channel']] });
  const { invites } = await twin.did('owner', 'GET', '/invites');
  for (const { id, is_multiuse } of invites as { id: number; is_multiuse: boolean }[])
    ids[is_multiuse ? 'link' : 'invitation'] = id;
  await twin.did('ann', 'PATCH', '/settings', { email: `anna@${word}.example.com` });
  await new Browser(twin.server.url, twin.host).fill('/accounts/password/reset', { email: `ann@${word}.example.com` });
  const account = await twin.browser.open('/account');
  names['form'] = account.forms[0]?.fields['csrf_token'] ?? '';
  const { queue_id } = await twin.did('owner', 'POST', '/register', { fetch_event_types: [] });
  names['queue'] = String(queue_id);
}
