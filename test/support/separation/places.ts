import type { EndpointDeclaration } from '@annals/web';
import type { Role, Twin } from './twin';

type Valued = (twin: Twin, path: string) => string | number | undefined;

/** The value of each part of a path with a name, by its name. */
const PARTS: Readonly<Record<string, Valued>> = {
  attachment_id: ({ ids }) => ids['attachment'],
  bot_id: ({ ids }) => ids['helper'],
  channel_id: ({ ids }) => ids['channel'],
  domain: ({ names }) => names['domain'],
  draft_id: ({ ids }) => ids['draft'],
  emoji_name: ({ word }) => word,
  field_id: ({ ids }) => ids['field'],
  file: () => '0123456789abcdef0123456789abcdef.png',
  filename: ({ names }, path) => {
    const file = pathIn(names[path.includes('/thumbnail/') ? 'image' : 'upload']);
    return path.startsWith('/user_uploads/thumbnail/') ? `${file}/840x560.webp` : file;
  },
  filter_id: ({ ids }) => ids['linkifier'],
  folder_id: ({ ids }) => ids['folder'],
  fragment: ({ names }) => names['fragment'],
  group_id: ({ ids }, path) => ids[path.includes('/audit/') ? 'group' : 'defaultGroup'],
  id: ({ ids }, path) => scimId(ids, path),
  integration: () => 'json',
  invite_id: ({ ids }, path) => ids[path.includes('/multiuse/') ? 'link' : 'invitation'],
  key: ({ names }) => pathIn(names['link'], -1),
  key_id: ({ ids }) => ids['key'],
  kind: () => 'oidc',
  message_id: ({ ids }) => ids['message'],
  muted_user_id: ({ ids }) => ids['ann'],
  name: ({ names }) => names['consumer'],
  path: ({ ids }) => `0/000.p/${ids['size']}`,
  playground_id: ({ ids }) => ids['playground'],
  provider: () => 'company',
  realm_id: ({ id }) => id,
  reminder_id: ({ ids }) => ids['reminder'],
  saved_snippet_id: ({ ids }) => ids['snippet'],
  scheduled_message_id: ({ ids }) => ids['scheduled'],
  schema: () => 'messages.MessageSent.v2',
  session_id: ({ ids }) => ids['session'],
  stream_id: ({ ids }) => ids['channel'],
  subdomain: ({ word }) => word,
  token: ({ names }, path) => names[path.includes('reset') ? 'password-reset' : 'email-change'],
  token_id: ({ ids }) => ids['token'],
  topic_id: ({ ids }) => ids['topic'],
  user: ({ ids }) => ids['ann'],
  user_group_id: ({ ids }) => ids['group'],
  user_id: ({ ids }) => ids['ann'],
  user_id_or_email: ({ ids }) => ids['owner'],
};

/** Routes whose path is an address that the twin knows as a whole. */
const ADDRESSES: Readonly<Record<string, string>> = {
  '/user_avatars/:realm_id/:file': 'avatar',
  '/user_avatars/:realm_id/realm/:file': 'icon',
  '/user_avatars/:realm_id/emoji/images/:file': 'emoji',
  '/user_uploads/temporary/:token/:filename': 'temporary',
};

const DOCUMENTS: Readonly<Record<string, string>> = {
  ResourceTypes: 'User',
  Schemas: 'urn:ietf:params:scim:schemas:core:2.0:User',
};

function scimId(ids: Twin['ids'], path: string): string | number | undefined {
  const [, kind = ''] = /\/scim\/v2\/(\w+)/.exec(path) ?? [];
  return DOCUMENTS[kind] ?? ids[kind === 'Groups' ? 'provisionedGroup' : 'provisioned'];
}

/** The parts of an address after the number of the organization, or its last part. */
function pathIn(address = '', from = 0): string {
  const parts = new URL(address, 'http://localhost').pathname.split('/').filter((part) => part !== '');
  return (from < 0 ? parts.slice(from) : parts.slice(parts.indexOf('user_uploads') + 2)).join('/');
}

/** The path of an endpoint with the ids and names of a twin. @throws Error for a part that has no value here */
export function pathAt(twin: Twin, { path }: Pick<EndpointDeclaration, 'path'>): string {
  const address = ADDRESSES[path];
  if (address !== undefined) return twin.names[address] ?? '';
  return path.replace(/[:*](\w+)/g, (_, part: string) => {
    const value = PARTS[part]?.(twin, path);
    if (value === undefined) throw new Error(`${path} needs a value for ${part}: add it to places.ts`);
    return /^(fragment|filename|path)$/.test(part) ? String(value) : encodeURIComponent(value);
  });
}

/** Who may ask an endpoint. */
export function roleOf({ audience }: Pick<EndpointDeclaration, 'audience'>): Role {
  switch (audience) {
    case 'bots':
      return 'helper';
    case 'provisioning':
      return 'directory';
    case 'session':
      return 'browser';
    case 'public':
    case 'webhooks':
      return 'nobody';
    default:
      return 'owner';
  }
}
