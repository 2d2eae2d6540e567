import { EqualityFilter, Filter, FilterParser, OrFilter } from 'ldapts';
import { USER_PLACEHOLDER } from '../../domain/ldap/directory';

/**
 * A filter that finds what somebody typed. All letters with a meaning in filters are escaped, so that a user name cannot
 * change what is searched for (RFC 4515).
 */
export const filterFor = (filter: string, typed: string): string =>
  filter.replaceAll(USER_PLACEHOLDER, () => Filter.escape(typed));

/** The filter that finds everybody whom `filterFor` can find. */
export const filterForAll = (filter: string): string => filter.replaceAll(USER_PLACEHOLDER, '*');

/** Has bytes, which a subject has in hexadecimal digits. */
const WITH_BYTES = 'objectguid';

/** A filter that finds the entry with an id, in whichever of these attributes it is. A directory ignores those that it does not know. */
export const filterForId = (attributes: readonly string[], id: string): Filter =>
  new OrFilter({
    filters: attributes.map((attribute) => {
      const value = attribute.toLowerCase() === WITH_BYTES ? Buffer.from(id, 'hex') : id;
      return new EqualityFilter({ attribute, value });
    }),
  });

/** Whether a directory would understand this filter. */
export function isFilter(filter: string): boolean {
  try {
    FilterParser.parseString(filterFor(filter, 'ada'));
    return true;
  } catch {
    return false;
  }
}
