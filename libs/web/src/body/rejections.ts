import { rejection } from '@annals/kernel/domain';

const bad = (text: string) => rejection('BAD_REQUEST', text, { onPages: 'badForm' });

/** Refusals of the body of a form. */
export const reject = {
  notUtf8: bad('The request body is not valid UTF-8'),
  tooManyFields: bad('Too many parameters'),
  malformed: bad('Malformed multipart body'),
};
