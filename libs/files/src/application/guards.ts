import type { Guard } from '@annals/kernel';

/** Key that lets uploads to an organization with a quota go one after the other. */
export const ONE_AFTER_ANOTHER = 'turn';

/**
 * The organization's files take at most so many bytes before this one; key is that number. Whoever uploads asks for
 * `ONE_AFTER_ANOTHER` too, which never fails, and declares it as changed.
 */
export const withinQuota: Guard = {
  name: 'within-upload-quota',
  failing: `SELECT k.ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS k(realm_id, key, ord)
    WHERE EXISTS (SELECT FROM view.upload_space AS s WHERE s.realm_id = k.realm_id AND s.scope = 'files'
      AND s.used > CASE k.key WHEN '${ONE_AFTER_ANOTHER}' THEN s.used ELSE k.key::int8 END)`,
};
