import type { Guard } from '@annals/kernel';

/** The name that every upload declares as changed. */
export const UPLOAD_SPACE = 'space';

/**
 * The organization's files use at most this many bytes before the upload; key is that number. An upload declares
 * `UPLOAD_SPACE` as changed.
 */
export const withinQuota: Guard = {
  name: 'within-upload-quota',
  failing: `SELECT k.ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS k(realm_id, key, ord)
    WHERE EXISTS (SELECT FROM view.upload_space AS s WHERE s.realm_id = k.realm_id AND s.scope = 'files'
      AND s.used > k.key::int8)`,
  concerns: () => UPLOAD_SPACE,
};
