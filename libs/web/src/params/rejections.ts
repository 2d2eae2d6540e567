import { rejection } from '@annals/kernel/domain';

/** The name of the parameter. */
type Named = { readonly name: string };

/** Refusals of parameters that pages have too. Those of JSON are where it is read. */
export const reject = {
  blank: rejection<Named>('BAD_REQUEST', ({ name }) => `${name} cannot be blank`, { onPages: 'missingValue' }),
  tooShort: rejection<Named>('BAD_REQUEST', ({ name }) => `${name} is too short`, { onPages: 'badValue' }),
  tooLong: rejection<Named & { limit: number }>(
    'BAD_REQUEST',
    ({ name, limit }) => `${name} is too long (limit: ${limit} characters)`,
    { onPages: 'longValue' },
  ),
  invalid: rejection<Named>('BAD_REQUEST', ({ name }) => `Invalid ${name}`, { onPages: 'badValue' }),
  badCharacter: rejection<Named>('BAD_REQUEST', ({ name }) => `Invalid character in ${name}`, { onPages: 'badValue' }),
  badCharacterAt: rejection<Named & { position: number }>(
    'BAD_REQUEST',
    ({ name, position }) => `Invalid character in ${name}, at position ${position}`,
    { onPages: 'badValue' },
  ),
};
