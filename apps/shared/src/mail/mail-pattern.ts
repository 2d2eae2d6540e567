import { LONGEST_PART, MAX_LOCAL_PART, roomIn } from '@annals/mail/incoming-part';
import { ValidateBy } from 'class-validator';

/** Words with single dots between them, `%s` in one of them, and a domain. */
const PATTERN = /^([\w+-]+\.)*[\w+-]*%s[\w+-]*(\.[\w+-]+)*@[a-z\d-]+(\.[a-z\d-]+)*$/i;

/** What is wrong with a pattern of addresses, in one sentence or two. Undefined if nothing is. */
function mistakeIn(pattern: unknown): string | undefined {
  if (typeof pattern !== 'string' || !PATTERN.test(pattern)) {
    return 'ANNALS_MAIL_PATTERN must look like %s@in.example.com or chat+%s@example.com.';
  }
  const excess = LONGEST_PART - roomIn(pattern);
  if (excess <= 0) return undefined;
  const most = MAX_LOCAL_PART - LONGEST_PART;
  return (
    `ANNALS_MAIL_PATTERN may have ${most} characters before the @ beside %s, and has ${most + excess}. ` +
    `Mail servers take ${MAX_LOCAL_PART} in all, and up to ${LONGEST_PART} stand for %s.`
  );
}

/** A pattern all of whose addresses are valid. */
export const IsMailPattern = (): PropertyDecorator =>
  ValidateBy({
    name: 'isMailPattern',
    validator: {
      validate: (value) => mistakeIn(value) === undefined,
      defaultMessage: (given) => mistakeIn(given?.value) ?? '',
    },
  });
