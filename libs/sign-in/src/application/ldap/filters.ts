import { Filter, FilterParser } from 'ldapts';
import { USER_PLACEHOLDER } from '../../domain/ldap/directory';

/**
 * A filter that finds what somebody typed. All letters with a meaning in filters are escaped, so that a user name cannot
 * change what is searched for (RFC 4515).
 */
export const filterFor = (filter: string, typed: string): string =>
  filter.replaceAll(USER_PLACEHOLDER, () => Filter.escape(typed));

/** The filter that finds everybody whom `filterFor` can find. */
export const filterForAll = (filter: string): string => filter.replaceAll(USER_PLACEHOLDER, '*');

/** Whether a directory would understand this filter. */
export function isFilter(filter: string): boolean {
  try {
    FilterParser.parseString(filterFor(filter, 'ada'));
    return true;
  } catch {
    return false;
  }
}
