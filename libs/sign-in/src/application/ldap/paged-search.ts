import type { Client, Entry, Filter, SearchOptions, SearchResponse } from 'ldapts';
import { FilterParser, MessageResponseStatus, PagedResultsControl, SearchRequest, StatusCodeParser } from 'ldapts';
import { DirectoryAway } from './directory-away';

/** The parts of a client with which its own searches are made. */
interface Requests {
  _ensureConnected(): Promise<void>;
  _nextMessageId(): number;
  _send(request: SearchRequest): Promise<SearchResponse | undefined>;
}

/** How to search. */
type PagedOptions = Pick<SearchOptions, 'scope' | 'timeLimit'> & {
  readonly filter: string | Filter;
  readonly attributes: string[];
  readonly explicitBufferAttributes: string[];
};

/** Pictures are in a page too. */
const PAGE_SIZE = 200;
/** Pages without entries that a directory may give one after the other. */
const MAX_EMPTY_PAGES = 1_000;

/**
 * The entries of a search, page by page (RFC 2696). `searchPaginated` of the library ends at a page without entries, but a directory
 * that searches on gives such pages too: only a cookie without content says that nothing is left.
 *
 * @throws Error when the directory does not give all of them
 */
export async function* pagesOf(client: Client, base: string, options: PagedOptions): AsyncGenerator<readonly Entry[]> {
  const requests = client as unknown as Requests;
  await requests._ensureConnected();
  let cookie: Buffer = Buffer.alloc(0);
  let emptyPages = 0;
  do {
    const response = await requests._send(requestOf(requests._nextMessageId(), base, options, cookie));
    if (response?.status !== MessageResponseStatus.Success) throw StatusCodeParser.parse(response);
    const { attributes, explicitBufferAttributes } = options;
    yield response.searchEntries.map((entry) => entry.toObject(attributes, explicitBufferAttributes));
    emptyPages = response.searchEntries.length === 0 ? emptyPages + 1 : 0;
    if (emptyPages > MAX_EMPTY_PAGES) throw new DirectoryAway('it gives pages without entries and no end');
    const next = cookieIn(response);
    if (next === undefined && cookie.length > 0) throw new DirectoryAway('its answer breaks off between two pages');
    cookie = next ?? Buffer.alloc(0);
  } while (cookie.length > 0);
}

function requestOf(
  messageId: number,
  baseDN: string,
  { filter, ...options }: PagedOptions,
  cookie: Buffer,
): SearchRequest {
  const controls = [new PagedResultsControl({ value: { size: PAGE_SIZE, cookie } })];
  return new SearchRequest({ ...options, messageId, baseDN, filter: parsed(filter), controls });
}

const parsed = (filter: string | Filter): Filter =>
  typeof filter === 'string' ? FilterParser.parseString(filter) : filter;

/** Undefined when the directory does not know pages. Then it gives everything at once. */
function cookieIn({ controls = [] }: SearchResponse): Buffer | undefined {
  const paged = controls.find((control) => control instanceof PagedResultsControl);
  return paged?.value?.cookie;
}
