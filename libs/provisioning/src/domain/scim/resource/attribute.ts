import type { AttributePath } from '../attribute-path';

/** A declared attribute of a resource (RFC 7643 section 7). It is read by filters, by PATCH and by `/Schemas`. */
export interface Attribute {
  readonly name: string;
  readonly about: string;
  readonly type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex';
  readonly multiValued: boolean;
  /** It always has a value, so that it cannot be removed. A request to create may leave it out. */
  readonly required: boolean;
  readonly caseExact: boolean;
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly';
  readonly returned: 'always' | 'default' | 'request' | 'never';
  readonly uniqueness: 'none' | 'server';
  readonly canonicalValues: readonly string[];
  readonly referenceTypes: readonly string[];
  readonly parts: readonly Attribute[];
  /** It follows from another attribute, which directories change too. A change of it is no error, and does nothing. */
  readonly isDerived: boolean;
}

const USUAL: Omit<Attribute, 'name' | 'about'> = {
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  canonicalValues: [],
  referenceTypes: [],
  parts: [],
  isDerived: false,
};

/** Declares an attribute: a text that may be changed, unless told otherwise. */
export const attribute = (
  name: string,
  about: string,
  more: Partial<Omit<Attribute, 'name' | 'about'>> = {},
): Attribute => ({
  ...USUAL,
  ...more,
  name,
  about,
});

const READ_ONLY = { mutability: 'readOnly', caseExact: true } as const;

/** What every resource has (RFC 7643 section 3.1). It is in no schema. */
const COMMON: readonly Attribute[] = [
  attribute('schemas', 'URNs of the schemas of the resource.', { ...READ_ONLY, multiValued: true, returned: 'always' }),
  attribute('id', 'The id of the resource.', { ...READ_ONLY, returned: 'always' }),
  attribute('externalId', 'The id of the resource in the directory.', { caseExact: true }),
  attribute('meta', 'Facts about the resource.', {
    ...READ_ONLY,
    type: 'complex',
    parts: [
      attribute('resourceType', 'The type of the resource.', READ_ONLY),
      attribute('created', 'When it was created.', { ...READ_ONLY, type: 'dateTime' }),
      attribute('lastModified', 'When it was changed.', { ...READ_ONLY, type: 'dateTime' }),
      attribute('version', 'Its version, as in the header ETag.', READ_ONLY),
      attribute('location', 'Its address.', { ...READ_ONLY, type: 'reference' }),
    ],
  }),
];

/** A type of resources (RFC 7643 section 6). */
export interface ResourceType {
  readonly name: 'User' | 'Group';
  readonly endpoint: '/Users' | '/Groups';
  readonly schema: string;
  readonly about: string;
  /** Of its schema. */
  readonly attributes: readonly Attribute[];
  /** With the attributes of all resources. */
  readonly all: readonly Attribute[];
}

export const resourceType = (declared: Omit<ResourceType, 'all'>): ResourceType => ({
  ...declared,
  all: [...COMMON, ...declared.attributes],
});

/** The attribute with this name, in any letter case. */
export const named = (attributes: readonly Attribute[], name: string): Attribute | undefined => {
  const lower = name.toLowerCase();
  return attributes.find((one) => one.name.toLowerCase() === lower);
};

/** An attribute that a path names, and its part if it names one. */
export interface AttributePlace {
  readonly attribute: Attribute;
  readonly part: Attribute | null;
}

/**
 * Finds what a path names. Directories send attributes that Annals has no use of, such as phone numbers.
 *
 * @returns undefined for an attribute that this type does not have
 */
export function placeOf({ schema, all }: ResourceType, path: AttributePath): AttributePlace | undefined {
  if (path.schema !== null && path.schema !== schema.toLowerCase()) return undefined;
  const found = named(all, path.attribute);
  if (!found || path.sub === null) return found && { attribute: found, part: null };
  const part = named(found.parts, path.sub);
  return part && { attribute: found, part };
}
