import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { discardParkedMail, readParkedMail, retryParkedMail } from '@annals/mail';

/** More lines are of no use. */
const SHOWN = 1_000;

type Print = (line: string) => void;
type Change = typeof retryParkedMail;
type Named = Parameters<Change>[1];

/** `annals mail list`: the mails that were set aside with their reasons, the newest first. @returns 0 */
export async function listMail(kernel: Kernel, json: boolean, print: Print): Promise<number> {
  const all = await readParkedMail(kernel.database.pool, SHOWN);
  for (const { at, realmId, kind, key, attempts, reason } of all) {
    const shown = { id: `${realmId}:${kind}:${key}`, at: new Date(at).toISOString(), attempts, reason };
    print(json ? JSON.stringify(shown) : `${shown.at} ${shown.id}, ${attempts} attempts: ${reason}`);
  }
  if (all.length === 0 && !json) print('No mail was set aside.');
  return 0;
}

/** `annals mail retry`: makes mails due again. @param ids as `annals mail list` shows them; none for all @returns exit code */
export const retryMail = (kernel: Kernel, ids: readonly string[], print: Print): Promise<number> =>
  change(kernel, ids, { apply: retryParkedMail, done: 'will be tried again' }, print);

/** `annals mail discard`: mails are never sent. @param ids as above @returns exit code */
export const discardMail = (kernel: Kernel, ids: readonly string[], print: Print): Promise<number> =>
  change(kernel, ids, { apply: discardParkedMail, done: 'were discarded' }, print);

async function change(
  kernel: Kernel,
  ids: readonly string[],
  { apply, done }: { readonly apply: Change; readonly done: string },
  print: Print,
): Promise<number> {
  const which: Named = ids.length === 0 ? 'all' : ids.map(named);
  const count = await apply(kernel.database.pool, which, kernel.clock.now());
  print(count === 0 ? 'No such mail was set aside.' : `${count} ${done}.`);
  return count < ids.length ? 1 : 0;
}

/** @throws Error for another form */
function named(id: string): { readonly realmId: RealmId; readonly kind: string; readonly key: string } {
  const [, realm, kind = '', key = ''] = /^(\d{1,9}):([^:]+):(.+)$/.exec(id) ?? [];
  if (realm === undefined) throw new Error(`${id} is no id of a mail. "annals mail list" shows them.`);
  return { realmId: Number(realm) as RealmId, kind, key };
}
