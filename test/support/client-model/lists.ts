import type { WireEvent } from '../server/caller';
import type { WireDraft } from '../requests/personal';
import { emojiAfter } from './emoji';
import { fieldsAfter } from './profiles';
import { remindersAfter, scheduledAfter } from './scheduling';
import type { Folder, State } from './shapes';

export interface Domain {
  readonly domain: string;
  readonly allow_subdomains: boolean;
}

export interface View {
  readonly fragment: string;
  readonly is_pinned: boolean;
  readonly name: string | null;
}

export interface Snippet {
  readonly id: number;
  readonly title: string;
  readonly content: string;
  readonly date_created: number;
}

/** Changes of the independent parts of a client's state, by type of event. */
const CHANGES: Readonly<Record<string, (event: WireEvent, state: State) => Partial<State>>> = {
  alert_words: ({ alert_words }) => ({ alert_words }),
  channel_folder: (event, { channel_folders }) => ({ channel_folders: foldersAfter(event, channel_folders) }),
  custom_profile_fields: fieldsAfter,
  device: devicesAfter,
  default_streams: (event) => ({ realm_default_streams: event['default_streams'] as number[] }),
  default_stream_groups: (event) => ({
    realm_default_stream_groups: event['default_stream_groups'] as readonly unknown[],
  }),
  drafts: (event, { drafts }) => ({ drafts: draftsAfter(event, drafts) }),
  muted_users: ({ muted_users }) => ({ muted_users }),
  navigation_view: (event, { navigation_views }) => ({ navigation_views: viewsAfter(event, navigation_views) }),
  onboarding_steps: ({ onboarding_steps }) => ({ onboarding_steps }),
  realm: organizationAfter,
  realm_domains: (event, { realm_domains }) => ({ realm_domains: domainsAfter(event, realm_domains) }),
  realm_emoji: (event, { realm_emoji }) => ({ realm_emoji: emojiAfter(event, realm_emoji) }),
  realm_export_consent: () => ({}),
  realm_linkifiers: ({ realm_linkifiers }) => ({ realm_linkifiers }),
  realm_playgrounds: ({ realm_playgrounds }) => ({ realm_playgrounds }),
  realm_user_settings_defaults: settingAfter,
  reminders: remindersAfter,
  saved_snippets: (event, { saved_snippets }) => ({ saved_snippets: snippetsAfter(event, saved_snippets) }),
  scheduled_messages: scheduledAfter,
  user_settings: settingAfter,
  user_status: statusAfter,
};

/** @throws Error for an event that is none of these */
export function applyToLists(event: WireEvent, state: State): void {
  const change = CHANGES[event.type];
  if (!change) throw new Error(`this client does not know what ${event.type} means`);
  Object.assign(state, change(event, state));
}

/** Personal settings and defaults of new users are in the state under the type of their events. */
function settingAfter({ type, property, value }: WireEvent, state: State): Partial<State> {
  return { [type]: { ...(state[type] as object), [property as string]: value } };
}

/** Empty parts of a status are left out in the state. */
function statusAfter({ type: _, id: _id, user_id, ...change }: WireEvent, { user_status }: State): Partial<State> {
  const { [String(user_id)]: known, ...others } = user_status;
  const parts = { ...known, ...change } as Readonly<Record<string, string>>;
  const { reaction_type, ...texts } = parts;
  const left = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
  const status = { ...left, ...('emoji_name' in left && { reaction_type }) };
  return { user_status: Object.keys(left).length === 0 ? others : { ...others, [String(user_id)]: status } };
}

/** contract/channels.md section 7 */
function foldersAfter(event: WireEvent, known: readonly Folder[]): Folder[] {
  const { op, channel_folder, channel_folder_id, data, order } = event;
  if (op === 'add') return [...known, channel_folder as Folder];
  return known.map((folder) => {
    if (op === 'reorder') return { ...folder, order: (order as number[]).indexOf(folder.id) };
    return folder.id === channel_folder_id ? { ...folder, ...(data as object) } : folder;
  });
}

const unknownEvent = ({ type, op }: WireEvent) =>
  new Error(`this client does not know what ${type} ${String(op)} means`);

function organizationAfter({ op, property, value, data }: WireEvent): Partial<State> {
  const changed = op === 'update' ? { [property as string]: value } : (data as object);
  return Object.fromEntries(Object.entries(changed).map(([name, now]) => [`realm_${name}`, now as unknown]));
}

/** contract/navigation-snippets-domains.md section 3 */
function domainsAfter(event: WireEvent, known: readonly Domain[]): readonly Domain[] {
  const received = event['realm_domain'] as Domain;
  switch (event.op) {
    case 'add':
      return [...known, received];
    case 'change':
      return known.map((one) => (one.domain === received.domain ? received : one));
    case 'remove':
      return known.filter(({ domain }) => domain !== event['domain']);
    default:
      throw unknownEvent(event);
  }
}

/** contract/navigation-snippets-domains.md section 1 */
function viewsAfter(event: WireEvent, known: readonly View[]): readonly View[] {
  const { op, fragment, data, navigation_view } = event;
  if (op !== 'add' && !known.some((view) => view.fragment === fragment)) {
    throw new Error(`received an event about an unknown view: ${String(fragment)}`);
  }
  switch (op) {
    case 'add':
      return [...known, navigation_view as View];
    case 'update':
      return known.map((view) => (view.fragment === fragment ? { ...view, ...(data as Partial<View>) } : view));
    case 'remove':
      return known.filter((view) => view.fragment !== fragment);
    default:
      throw unknownEvent(event);
  }
}

/** contract/navigation-snippets-domains.md section 2 */
function snippetsAfter(event: WireEvent, known: readonly Snippet[]): readonly Snippet[] {
  const received = event['saved_snippet'] as Snippet;
  switch (event.op) {
    case 'add':
      return [...known, received];
    case 'update':
      return known.map((one) => (one.id === received.id ? received : one));
    case 'remove':
      return known.filter(({ id }) => id !== event['saved_snippet_id']);
    default:
      throw unknownEvent(event);
  }
}

/** contract/realtime.md section 6.4. The last edited is the first. */
function draftsAfter(event: WireEvent, known: readonly WireDraft[]): readonly WireDraft[] {
  const inOrder = (drafts: readonly WireDraft[]) =>
    [...drafts].sort((a, b) => b.timestamp - a.timestamp || b.id - a.id);
  const edited = event['draft'] as WireDraft;
  switch (event.op) {
    case 'add':
      return inOrder([...known, ...(event['drafts'] as WireDraft[])]);
    case 'update':
      return inOrder(known.map((one) => (one.id === edited.id ? edited : one)));
    case 'remove':
      return known.filter(({ id }) => id !== event['draft_id']);
    default:
      throw unknownEvent(event);
  }
}

/** contract/push.md sections 1 and 2: an update changes only what it names. */
function devicesAfter(event: WireEvent, { devices }: State): Partial<State> {
  const { op, device_id, id: _, type: __, ...changed } = event;
  const { [String(device_id)]: known, ...others } = devices as Readonly<Record<string, object>>;
  if ((op === 'add') === (known !== undefined))
    throw new Error(`received an event to ${op} device ${String(device_id)}`);
  switch (op) {
    case 'add':
      return { devices: { ...others, [String(device_id)]: NEW_DEVICE } };
    case 'update':
      return { devices: { ...others, [String(device_id)]: { ...known, ...changed } } };
    case 'remove':
      return { devices: others };
    default:
      throw unknownEvent(event);
  }
}

const NEW_DEVICE = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};
