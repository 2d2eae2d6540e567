import { reject } from './rejections';

/** The name of an attribute. Names have no letter case, so they are in lower case here. */
export interface AttributePath {
  /** The URN of its schema. Null if the name has none. */
  readonly schema: string | null;
  readonly attribute: string;
  readonly sub: string | null;
}

const NAME = /^[a-z$][\w$-]*$/;

/**
 * `name.familyName`, or the same after the URN of a schema and a colon (RFC 7644 section 3.10).
 *
 * @throws Rejected INVALID_PATH
 */
export function parseAttributePath(text: string): AttributePath {
  const lower = text.toLowerCase();
  const colon = lower.lastIndexOf(':');
  const schema = colon < 0 ? null : lower.slice(0, colon);
  const [attribute = '', sub = null, ...rest] = lower.slice(colon + 1).split('.');
  const isName = rest.length === 0 && NAME.test(attribute) && (sub === null || NAME.test(sub));
  if (!isName || (schema !== null && !schema.startsWith('urn:')))
    throw reject.path({ why: `${quotedStart(text)} is no name of an attribute.` });
  return { schema, attribute, sub };
}

const SHOWN = 60;

/** The beginning of a text that a caller sent, for a refusal. */
export const quotedStart = (text: string): string => (text.length > SHOWN ? `'${text.slice(0, SHOWN)}…'` : `'${text}'`);
