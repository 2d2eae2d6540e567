import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { BerReader, BindRequest, ProtocolOperation } from 'ldapts';
import type { FakeEntry } from './ldap-messages';
import { entryMessage, resultMessage } from './ldap-messages';
import type { FilterNode, SearchMessage } from './ldap-requests';
import { filterText, readSearch } from './ldap-requests';

export type { FakeEntry };

const RESULT = { success: 0, sizeLimit: 4, noSuchObject: 32, invalidCredentials: 49 };
/** At the end of the cookie of a page without entries. */
const SEARCHED = ' searched';
const { LDAP_REQ_BIND, LDAP_REQ_SEARCH, LDAP_RES_BIND, LDAP_RES_SEARCH } = ProtocolOperation;

/**
 * A directory in this process, for specs that need no real one: simple logins, searches with pages, size limits, and the
 * faults that a real one has seldom. It speaks LDAP without TLS.
 */
export class FakeDirectory {
  /** Every login that was tried, right or wrong. */
  readonly binds: { readonly dn: string; readonly password: string }[] = [];
  /** Filters of all searches. */
  readonly filters: string[] = [];
  /** Answers a request itself. Null: as usual. */
  fault: ((request: 'bind' | 'search', socket: Socket, messageId: number) => 'done' | null) | null = null;
  /** Entries of a page, however many are asked for. */
  maxPage = Infinity;
  /** Before each page with entries it gives one without, as a directory that is still searching. */
  isHesitant = false;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** What it lists. A spec changes it. */
    public entries: readonly FakeEntry[],
  ) {
    server.on('connection', (socket) => this.serve(socket));
  }

  static async start(entries: readonly FakeEntry[] = []): Promise<FakeDirectory> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeDirectory(server, entries);
  }

  get url(): string {
    return `ldap://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    if (this.server.listening) await once(this.server, 'close');
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined);
    let received = Buffer.alloc(0);
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      for (let message = firstOf(received); message; message = firstOf(received)) {
        received = received.subarray(message.length);
        this.answer(socket, message);
      }
    });
  }

  private answer(socket: Socket, message: Buffer): void {
    const reader = new BerReader(message);
    reader.readSequence();
    const messageId = reader.readInt() ?? 0;
    const operation = reader.readSequence();
    if (operation === LDAP_REQ_BIND) {
      const bind = new BindRequest({ messageId });
      bind.parse(reader, []);
      if (this.fault?.('bind', socket, messageId) !== 'done') this.bind(socket, bind);
    } else if (operation === LDAP_REQ_SEARCH) {
      const search = readSearch(reader);
      this.filters.push(filterText(search.filter));
      if (this.fault?.('search', socket, messageId) !== 'done') this.search(socket, messageId, search);
    } else socket.end();
  }

  /** Like a real one, it takes an empty password for a login without a name, and succeeds. */
  private bind(socket: Socket, { messageId, dn, password }: BindRequest): void {
    this.binds.push({ dn, password });
    const entry = this.entries.find((one) => sameName(one.dn, dn));
    const isRight = password === '' || (entry?.password !== undefined && entry.password === password);
    socket.write(resultMessage(LDAP_RES_BIND, messageId, isRight ? RESULT.success : RESULT.invalidCredentials));
  }

  private search(socket: Socket, messageId: number, search: SearchMessage): void {
    const { base, isOfSubtree, sizeLimit, page } = search;
    if (!isOfSubtree && !this.entries.some(({ dn }) => sameName(dn, base))) {
      return void socket.write(resultMessage(LDAP_RES_SEARCH, messageId, RESULT.noSuchObject));
    }
    const found = this.entries.filter((entry) => isWithin(search, entry) && matches(search.filter, entry));
    const from = Number.parseInt(page?.cookie ?? '', 10) || 0;
    if (page && this.isHesitant && !page.cookie.endsWith(SEARCHED)) {
      return void socket.write(
        resultMessage(LDAP_RES_SEARCH, messageId, RESULT.success, { cookie: `${from}${SEARCHED}` }),
      );
    }
    const limit = sizeLimit === 0 ? Infinity : sizeLimit;
    const to = from + (page ? Math.min(page.size, this.maxPage, limit) : limit);
    for (const entry of found.slice(from, to)) socket.write(entryMessage(messageId, entry, search.attributes));
    const isWhole = to >= found.length;
    const code = page || isWhole ? RESULT.success : RESULT.sizeLimit;
    const more = page ? { cookie: isWhole ? '' : String(to) } : {};
    socket.write(resultMessage(LDAP_RES_SEARCH, messageId, code, more));
  }
}

/** The first whole message. Null while its end has not arrived. */
function firstOf(received: Buffer): Buffer | null {
  const reader = new BerReader(received);
  if (reader.readSequence() === null || reader.remain < reader.length) return null;
  return received.subarray(0, reader.offset + reader.length);
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const isWithin = ({ base, isOfSubtree }: SearchMessage, { dn }: FakeEntry): boolean =>
  sameName(dn, base) || (isOfSubtree && dn.toLowerCase().endsWith(`,${base.toLowerCase()}`));

function matches(filter: FilterNode, entry: FakeEntry): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(part, entry));
    case 'or':
      return filter.parts.some((part) => matches(part, entry));
    case 'not':
      return !filter.parts.some((part) => matches(part, entry));
    case 'present':
      return valuesOf(entry, filter.attribute).length > 0;
    case 'equal':
      return valuesOf(entry, filter.attribute).some((value) => sameName(value.toString(), filter.value));
  }
}

function valuesOf({ attributes }: FakeEntry, wanted: string): readonly (string | Buffer)[] {
  const [, values = []] = Object.entries(attributes).find(([name]) => sameName(name, wanted)) ?? [];
  return values;
}
