import type { Actor, MessageId, Position } from '@annals/kernel/domain';
import { NO_LINKIFIERS } from '@annals/markdown';
import type { AsOf } from '@annals/realm';
import type { RenderingRequest } from '../content/message-json';
import { MessageContents, contentCache } from '../content/message-json';
import type { LoadedMessages } from '../content/message-row';
import { NO_CHANGES } from '../content/read-changes';
import { Renderings } from '../content/rendering';
import type { FoundMessages, ListedMessages } from '../query/get-messages';
import { askerOf } from '../query/get-messages';
import { NEWEST } from '../query/message-pages';
import type { SeenInPast } from './past-loader';

/** The account as it was, which decides which emails it sees. */
export type ViewerThen = Pick<Actor, 'userId' | 'role'>;

/** What is the same for all answers with messages of the past. */
export interface AboutPast {
  readonly asOfPosition: Position;
  readonly viewer: ViewerThen;
  readonly erased: ReadonlySet<MessageId>;
}

export type FoundInPast = FoundMessages & AboutPast;
export type ListedInPast = ListedMessages & AboutPast;

/** Texts of the past are kept apart, so that they displace no text of today. In code units. */
const CACHE = contentCache(8_000_000);

export const contentsOf = ({ loaded }: Pick<SeenInPast, 'loaded'>, request: RenderingRequest): MessageContents =>
  new MessageContents(loaded, request, CACHE);

/** The answer to an account that was not active at the moment, or to one before the first event. */
export function nothingFound(by: Actor, { position }: Pick<AsOf, 'position'>, asHtml: boolean): ListedInPast {
  const loaded: LoadedMessages = {
    realmId: by.realmId,
    subdomain: '',
    rendered: new Renderings(by.realmId, false),
    linkifiers: NO_LINKIFIERS,
    rows: new Map(),
    users: new Map(),
    reactions: new Map(),
    submessages: new Map(),
    ...NO_CHANGES,
  };
  const contents = contentsOf({ loaded }, { asker: askerOf(by), asHtml });
  const empty = { ids: [], flags: new Map<never, never>(), erased: new Set<never>(), matches: null };
  return { ...empty, loaded, contents, viewer: by, asOfPosition: position };
}

/** The page of an empty answer. */
export const EMPTY_PAGE = { anchor: NEWEST, foundAnchor: false, foundOldest: true, foundNewest: true };
