import type { LdapDirectory } from '../../domain/ldap/directory';
import type { LdapEntry, LdapValue } from '../../domain/ldap/entry';
import type { Client, Entry, Filter } from 'ldapts';
import { DirectoryAway, codeOf } from './directory-away';
import { connect } from './ldap-servers';
import { pagesOf } from './paged-search';

/** Attributes with bytes. A directory answers with these spellings, however it is asked. */
const WITH_BYTES = ['jpegPhoto', 'thumbnailPhoto', 'photo', 'objectGUID'];

const NO_SUCH_OBJECT = 32;

/** Results of a bind that say that this name and password do not fit together, or may not log in now (RFC 4511, annex A). */
const NOT_ACCEPTED = new Set([
  16, // the entry has no password
  19, // too many wrong ones before
  NO_SUCH_OBJECT,
  34, // not a name of an entry
  48, // another kind of password is needed
  49, // wrong password, or disabled in Active Directory
  50, // may not log in
  53, // not willing, for example a locked entry
]);

/** What to search for. */
export interface LdapSearch {
  readonly base: string;
  readonly filter: string | Filter;
  readonly attributes: readonly string[];
  readonly scope?: 'base' | 'sub';
}

/** A connection to one server of a directory. It must be closed. */
export class LdapConnection {
  private constructor(
    private readonly client: Client,
    private readonly directory: Pick<LdapDirectory, 'login' | 'timeoutMs'>,
    private readonly isOver: () => boolean,
  ) {}

  /**
   * Connects to the first server that answers, and logs in to search.
   *
   * @param isOver whether nobody waits for the rest any more. Asked before each search and each page
   * @throws DirectoryAway when none does
   */
  static async open(directory: LdapDirectory, isOver: () => boolean = () => false): Promise<LdapConnection> {
    const reasons: string[] = [];
    for (const url of directory.servers) {
      try {
        return new LdapConnection(await connect(url, directory), directory, isOver);
      } catch (error) {
        reasons.push(`${url}: ${DirectoryAway.reasonOf(error)}`);
      }
    }
    throw new DirectoryAway(reasons.join('; '));
  }

  /**
   * At most so many entries.
   *
   * @throws DirectoryAway when the search fails
   */
  async find(search: LdapSearch, limit: number): Promise<LdapEntry[]> {
    return this.searching(async () => {
      const { searchEntries } = await this.client.search(search.base, { ...this.options(search), sizeLimit: limit });
      return searchEntries.map((entry) => entryOf(entry));
    });
  }

  /**
   * One entry by its name. Undefined if there is none.
   *
   * @throws DirectoryAway when the search fails
   */
  async entry(dn: string, attributes: readonly string[]): Promise<LdapEntry | undefined> {
    try {
      const [entry] = await this.find({ base: dn, filter: '(objectClass=*)', attributes, scope: 'base' }, 1);
      return entry;
    } catch (error) {
      if (error instanceof DirectoryAway && codeOf(error.cause) === NO_SUCH_OBJECT) return undefined;
      throw error;
    }
  }

  /**
   * All entries, page by page. References to other servers are not followed: this server would give them its
   * password.
   *
   * @throws DirectoryAway when the directory does not give all of them
   */
  async *all(search: LdapSearch): AsyncGenerator<LdapEntry> {
    const pages = pagesOf(this.client, search.base, this.options(search));
    for (;;) {
      const page = await this.searching(() => pages.next());
      if (page.done === true) return;
      for (const entry of page.value) yield entryOf(entry);
    }
  }

  /**
   * Whether the directory accepts this password for an entry. An empty password is never asked, because a directory
   * answers it like a right one (RFC 4513, section 5.1.2).
   *
   * @throws DirectoryAway when the directory gives no answer
   */
  async accepts(dn: string, password: string): Promise<boolean> {
    if (dn === '' || password === '') return false;
    return this.asking(async () => {
      try {
        await this.client.bind(dn, password);
        return true;
      } catch (error) {
        if (NOT_ACCEPTED.has(codeOf(error) ?? -1)) return false;
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    await this.client.unbind().catch(() => undefined);
  }

  private options({ filter, attributes, scope = 'sub' }: LdapSearch) {
    const timeLimit = Math.ceil(this.directory.timeoutMs / 1_000);
    return { filter, scope, timeLimit, attributes: [...attributes], explicitBufferAttributes: WITH_BYTES };
  }

  /** The client would connect again without the login, and what nobody sees without one would seem to be gone. */
  private searching<T>(ask: () => Promise<T>): Promise<T> {
    return this.asking(async () => {
      if (this.isOver()) throw new DirectoryAway('it did not answer everything in the time for it');
      if (this.directory.login && !this.client.isBound) throw new DirectoryAway('the connection ended');
      return ask();
    });
  }

  private async asking<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw DirectoryAway.because(error);
    }
  }
}

function entryOf({ dn, ...attributes }: Entry): LdapEntry {
  const values = new Map<string, readonly LdapValue[]>();
  for (const [name, value] of Object.entries(attributes)) {
    values.set(name.toLowerCase(), Array.isArray(value) ? value : [value]);
  }
  return { dn, values };
}
