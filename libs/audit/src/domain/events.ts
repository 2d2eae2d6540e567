import type { FactOf } from '@annals/kernel/domain';
import { count, defineEvent, nullable, t } from '@annals/kernel/domain';

/** A value of a parameter, as the reader gave it. */
const value = t.Union([t.String(), t.Integer(), t.Boolean(), t.Array(t.Union([t.String(), t.Integer()]))]);

/**
 * Stream `audit-views-{user}:{day}:{question}`: its actor read the history of the organization. Parameters are ids, names of types
 * and of programs, and moments: they are what auditors chose to look for, so they stay when words are erased.
 */
export const Viewed = defineEvent('audit.Viewed', {
  data: t.Object({
    /** Method and path, such as `GET /audit/events`. */
    endpoint: t.String(),
    /** Those that were sent, without the cursor. */
    parameters: t.Record(t.String(), value),
    /** How many things the answer contained. Null for a stream, whose end is not known when it begins. */
    results: nullable(count),
    /** Whether the reader saw what people wrote. */
    words: t.Boolean(),
  }),
});
export type Viewed = FactOf<typeof Viewed>;

/**
 * Stream `signing-key`: from this event on, checkpoints of the log are signed with this key. It is the first one, or
 * replaces another. After a restore the same key has another name, because the restored log is another log.
 */
export const SigningKeyChanged = defineEvent('audit.SigningKeyChanged', {
  data: t.Object({
    /** The public key as a verifier string of a C2SP signed note. Its name is the origin of the checkpoints. */
    verifier: t.String({ minLength: 1, maxLength: 400 }),
    /** Id of the installation whose log it signs. */
    installation: t.String({ minLength: 1, maxLength: 100 }),
    /** A note with the new verifier string, signed with the key before it. Null for the first key. */
    endorsement: nullable(t.String({ minLength: 1, maxLength: 2_000 })),
  }),
});
export type SigningKeyChanged = FactOf<typeof SigningKeyChanged>;
