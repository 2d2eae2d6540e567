import { rejection } from '@annals/kernel/domain';

const invalid = (code: string) => rejection<{ why: string }>(code, ({ why }) => why);

/** Every refusal of SCIM, by the `scimType` of RFC 7644 section 3.12. */
export const reject = {
  filter: invalid('INVALID_FILTER'),
  path: invalid('INVALID_PATH'),
  syntax: invalid('INVALID_SYNTAX'),
  value: invalid('INVALID_VALUE'),
  noTarget: invalid('NO_TARGET'),
  mutability: invalid('MUTABILITY'),
  tooMany: invalid('TOO_MANY'),
  taken: invalid('UNIQUENESS'),
  changed: rejection('PRECONDITION_FAILED', 'The resource has another version.'),
  noSuchResource: rejection<{ id: string }>('NOT_FOUND', ({ id }) => `There is no resource ${id}.`, { notFound: true }),
  readOnlyToken: rejection('READ_ONLY_TOKEN', 'This token may only read.', { forbidden: true }),
};

const SCIM_TYPES: Readonly<Record<string, string>> = {
  INVALID_FILTER: 'invalidFilter',
  INVALID_PATH: 'invalidPath',
  INVALID_SYNTAX: 'invalidSyntax',
  INVALID_JSON: 'invalidSyntax',
  INVALID_VALUE: 'invalidValue',
  BAD_REQUEST: 'invalidValue',
  NO_TARGET: 'noTarget',
  MUTABILITY: 'mutability',
  TOO_MANY: 'tooMany',
  UNIQUENESS: 'uniqueness',
};

/** The `scimType` of an error. Only answers 400 and 409 have one. */
export const scimTypeOf = (status: number, code: string): string | undefined =>
  status === 400 || status === 409 ? SCIM_TYPES[code] : undefined;
